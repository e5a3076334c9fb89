/** Long results that models do not read but can pass on by their addresses. @module */

import { resolveLimits } from "../call/limits.ts";
import type { Plugin, Use } from "../call/plugin.ts";
import type { Hop } from "../result/hop.ts";
import { createKeptResults, resolveReferences } from "./kept-results.ts";
import { createReadTool, PLUGIN, READ_TOOL } from "./read-tool.ts";
import { shortenResult, toLongResult } from "./shorten-result.ts";

/** Limits of kept results. Numbers are whole, from 1. */
export interface ReferencesOptions {
  /** The minimum length of a result that is kept, in characters that a model would read. Default 8,000. */
  readonly minLength?: number;
  /** The milliseconds that a result is kept. Default 1 h. */
  readonly ttlMs?: number;
}

const DEFAULTS = { minLength: 8_000, ttlMs: 3_600_000 };

/**
 * Keeps long results from models: a model reads the beginning or the shape of a result, and passes it on by its address in calls
 * of the same `conversation`. It reads more with the tool `references.read_result`: name that where you filter tools. Results are
 * in the host's `store`, or in the memory of this process.
 */
export function references(options: ReferencesOptions = {}): Use {
  const { minLength, ttlMs } = resolveLimits(DEFAULTS, options, { option: "references" });
  return (kit): Plugin => {
    const { limits, now, report } = kit;
    const kept = createKeptResults(kit, ttlMs);
    const warn = () => report({ type: "warning", atMs: now(), code: "not-kept" });
    return {
      name: PLUGIN,
      tools: [createReadTool(kept)],
      transformArguments: (call) =>
        // Arguments of other origins were written by servers, or their addresses have been read before.
        call.origin.by === "model" && call.tool.id !== READ_TOOL
          ? resolveReferences({ kept, limits }, call)
          : undefined,
      async keepHop(hop, { conversation, canRead = true }) {
        const isInvalid = hop.output.status === "invalid";
        if (hop.kept !== undefined || hop.server === PLUGIN || isInvalid) return hop;
        const { written, ...rest } = hop;
        const whole: Hop = written ? { ...rest, arguments: written } : hop;
        const long = toLongResult(hop.result, minLength);
        if (!long) return whole;
        if (conversation === undefined) {
          warn();
          return whole;
        }
        try {
          const id = await kept.keep(conversation, long.kept);
          const result = shortenResult(hop.result, long, { id, canRead, minLength });
          const { output } = hop;
          const verdict = output.status === "valid" ? { ...output, value: undefined } : output;
          return { ...whole, kept: id, result, output: verdict };
        } catch {
          warn(); // The call was made, so a failing store must not make a model repeat it.
          return whole;
        }
      },
    };
  };
}
