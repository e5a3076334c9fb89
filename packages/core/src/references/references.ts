import { resolveLimits } from "../call/limits.ts";
import { type Hop, isLeftOut } from "../result/hop.ts";
import type { Plugin, Use } from "../types/plugin.ts";
import { createKeptResults, type ReferencesOptions } from "./kept-results.ts";
import { createReadTool, PLUGIN, READ_TOOL } from "./read-tool.ts";
import { resolveReferences } from "./resolve-references.ts";
import { shortenResult, toLongResult } from "./shorten-result.ts";

const NUMBERS = { minLength: 8_000, ttlMs: 3_600_000 };

/** The approximate number of characters of a long text that a model is shown. */
const MAX_PREVIEW = 1_000;

/**
 * Keeps long results from models: a model reads the beginning or the shape of a result, and passes it on by its address in calls
 * of the same `conversation`. It reads more with the tool `references.read_result`: name that where you filter tools. Results are
 * in the host's `store`, or in the memory of this process.
 */
export function references(options: ReferencesOptions = {}): Use {
  const numbers = resolveLimits(NUMBERS, options, { option: "references" });
  const { minLength } = numbers;
  return (kit): Plugin => {
    const { limits, now, report } = kit;
    const kept = createKeptResults(kit, numbers);
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
        if (hop.kept !== undefined || hop.server === PLUGIN || isLeftOut(hop)) return hop;
        const { written, ...rest } = hop;
        const whole: Hop = written ? { ...rest, arguments: written } : hop;
        const { server, tool, result, output } = hop;
        const long = toLongResult(result, minLength);
        if (!long) return whole;
        if (conversation === undefined) {
          warn();
          return whole;
        }
        try {
          const { view: _, ...content } = long;
          const source = server === "" ? tool : `${server}.${tool}`;
          const id = await kept.keep(conversation, { tool: source, ...content });
          const previewLength = Math.min(MAX_PREVIEW, Math.ceil(minLength / 4));
          const short = shortenResult(result, { ...long, id, canRead, previewLength, minLength });
          const verdict = output.status === "valid" ? { ...output, value: undefined } : output;
          return { ...whole, kept: id ?? "", result: short, output: verdict };
        } catch {
          warn(); // The call was made, so a failing store must not make a model repeat it.
          return whole;
        }
      },
    };
  };
}
