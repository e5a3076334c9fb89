import { createHopRows } from "../call/hop-rows.ts";
import { createKeptResults, type ReferenceOptions } from "../call/kept-results.ts";
import { resolveReferences } from "../call/resolve-references.ts";
import { shortenResult, toLongResult } from "../reference/shorten-result.ts";
import { type Hop, isLeftOut } from "../result/hop.ts";
import type { HostKit, HostPlugin } from "../types/plugin.ts";
import { createReadTool } from "./read-tool.ts";

/** About how much of a long text a model is shown. */
const MAX_PREVIEW = 1_000;

/** Keeps long results from models, as a plugin: a model passes them on by their addresses. */
export function referencesPlugin(options: ReferenceOptions, kit: HostKit): HostPlugin {
  const { limits, warn, ownStore: store, now, newId, forget } = kit;
  const kept = createKeptResults(options, { store, now, newId, onForget: forget });
  const { minLength } = kept;
  return {
    name: "references",
    resolveArguments: (call) =>
      // What other origins sent was written by servers, or has been read before.
      call.origin.by === "model" ? resolveReferences({ kept, limits }, call) : undefined,
    async keepHop(hop, { scope, canRead = true }) {
      if (hop.kept !== undefined || isLeftOut(hop)) return hop;
      const { written, ...rest } = hop;
      const made: Hop = written ? { ...rest, arguments: written } : hop;
      const { server, tool, callId, result, output } = hop;
      const long = toLongResult(result, minLength);
      if (!long) return made;
      if (!scope) {
        warn("not-kept");
        return made;
      }
      try {
        const { view: _, ...content } = long;
        const id = await kept.keep(scope, { server, tool, callId, ...content });
        const previewLength = Math.min(MAX_PREVIEW, Math.ceil(minLength / 4));
        const how = { id, canRead, previewLength, minLength };
        const short = shortenResult(result, { ...long, ...how });
        const verdict = output.status === "valid" ? { ...output, value: undefined } : output;
        return { ...made, kept: id ?? "", result: short, output: verdict };
      } catch {
        warn("not-kept"); // The call was made: a store that fails must not make a model repeat it.
        return made;
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
}
