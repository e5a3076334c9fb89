import type { Hop } from "@toolrail/core";
import { type HostPlugin, type HostUse, isLeftOut, resolveLimits } from "@toolrail/core/plugin";
import { createHopRows } from "./hop-rows.ts";
import { createKeptResults, type ReferencesOptions } from "./kept-results.ts";
import { createReadTool } from "./read-tool.ts";
import { resolveReferences } from "./resolve-references.ts";
import { shortenResult, toLongResult } from "./shorten-result.ts";

const NUMBERS = { minLength: 8_000, ttlMs: 3_600_000 };

/** The approximate number of characters of a long text that a model is shown. */
const MAX_PREVIEW = 1_000;

/**
 * Keeps long results from models: a model reads the beginning or the shape of a result, and passes it on by its address in calls
 * of the same `conversation`. Results are in the host's `store`, or in the memory of this process. Compiled pipes need a `store`
 * for their long results, and store them for `limits.pendingHopTtlMs`.
 */
export function references(options: ReferencesOptions = {}): HostUse {
  const numbers = resolveLimits(NUMBERS, options, { option: "references" });
  const { minLength } = numbers;
  return (kit): HostPlugin => {
    const { limits, warn, ownStore: store } = kit;
    const kept = createKeptResults(kit, numbers);
    return {
      name: "references",
      resolveArguments: (call) =>
        // Arguments of other origins were written by servers, or their addresses have been read before.
        call.origin.by === "model" ? resolveReferences({ kept, limits }, call) : undefined,
      async keepHop(hop, { conversation, canRead = true }) {
        if (hop.kept !== undefined || isLeftOut(hop)) return hop;
        const { written, ...rest } = hop;
        const whole: Hop = written ? { ...rest, arguments: written } : hop;
        const { server, tool, callId, result, output } = hop;
        const long = toLongResult(result, minLength);
        if (!long) return whole;
        if (conversation === undefined) {
          warn("not-kept");
          return whole;
        }
        try {
          const { view: _, ...content } = long;
          const id = await kept.keep(conversation, { server, tool, callId, ...content });
          const previewLength = Math.min(MAX_PREVIEW, Math.ceil(minLength / 4));
          const shortening = { id, canRead, previewLength, minLength };
          const short = shortenResult(result, { ...long, ...shortening });
          const verdict = output.status === "valid" ? { ...output, value: undefined } : output;
          return { ...whole, kept: id ?? "", result: short, output: verdict };
        } catch {
          warn("not-kept"); // The call was made, so a failing store must not make a model repeat it.
          return whole;
        }
      },
      provides: {
        kept,
        readTool: createReadTool(kept),
        ...(store && {
          hopRows: createHopRows({ store, minLength, ttlMs: limits.pendingHopTtlMs }),
        }),
      },
    };
  };
}
