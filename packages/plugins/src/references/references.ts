import type { Hop } from "@toolrail/core";
import {
  type HostKit,
  type HostPlugin,
  type HostUse,
  isLeftOut,
  resolveLimits,
} from "@toolrail/core/plugin";
import { createHopRows } from "./hop-rows.ts";
import { createKeptResults } from "./kept-results.ts";
import { createReadTool } from "./read-tool.ts";
import { resolveReferences } from "./resolve-references.ts";
import { shortenResult, toLongResult } from "./shorten-result.ts";

/** Limits of stored results. Numbers are whole, from 1. */
export interface ReferencesOptions {
  /** The minimum length of a result that is stored, in characters that a model would read. Default 8,000. */
  readonly minLength?: number;
  /** The milliseconds that a result is stored after its last use. Default 1 h. */
  readonly ttlMs?: number;
}

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
  return (kit) => referencesPlugin(numbers, kit);
}

function referencesPlugin(numbers: Required<ReferencesOptions>, kit: HostKit): HostPlugin {
  const { limits, warn, ownStore: store, now, newId, forget } = kit;
  const kept = createKeptResults({ ...numbers, store, now, newId, onForget: forget });
  const { minLength } = numbers;
  return {
    name: "references",
    resolveArguments: (call) =>
      // Arguments of other origins were written by servers, or their addresses have been read before.
      call.origin.by === "model" ? resolveReferences({ kept, limits }, call) : undefined,
    async keepHop(hop, { conversation, canRead = true }) {
      if (hop.kept !== undefined || isLeftOut(hop)) return hop;
      const { written, ...rest } = hop;
      const made: Hop = written ? { ...rest, arguments: written } : hop;
      const { server, tool, callId, result, output } = hop;
      const long = toLongResult(result, minLength);
      if (!long) return made;
      if (!conversation) {
        warn("not-kept");
        return made;
      }
      try {
        const { view: _, ...content } = long;
        const id = await kept.keep(conversation, { server, tool, callId, ...content });
        const previewLength = Math.min(MAX_PREVIEW, Math.ceil(minLength / 4));
        const how = { id, canRead, previewLength, minLength };
        const short = shortenResult(result, { ...long, ...how });
        const verdict = output.status === "valid" ? { ...output, value: undefined } : output;
        return { ...made, kept: id ?? "", result: short, output: verdict };
      } catch {
        warn("not-kept"); // The call was made, so a failing store must not make a model repeat it.
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
