import { createHopRows } from "../call/hop-rows.ts";
import {
  createKeptResults,
  type KeepSurroundings,
  type ReferenceOptions,
} from "../call/kept-results.ts";
import type { Limits } from "../call/limits.ts";
import { type Resolve, resolveReferences } from "../call/resolve-references.ts";
import { shortenResult, toLongResult } from "../reference/shorten-result.ts";
import type { ChainResult } from "../result/chain-result.ts";
import { type Hop, isLeftOut } from "../result/hop.ts";

/** For whom long results are kept. */
export interface KeepOptions {
  /** The conversation of the model that will read them: see `host.call`. Without it they are not shortened. */
  readonly scope?: string | undefined;
  /** False if the model cannot call `read_result`: then it is not mentioned. Default true. */
  readonly canRead?: boolean;
}

interface LongResultsParts extends KeepSurroundings {
  readonly limits: Limits;
  warn(code: "not-kept"): void;
}

export type LongResults = ReturnType<typeof createLongResults>;

/** About how much of a long text a model is shown. */
const MAX_PREVIEW = 1_000;

/** What a host with `references` does, loaded only by such a host. */
export function createLongResults(options: ReferenceOptions, parts: LongResultsParts) {
  const { limits, warn, store } = parts;
  const kept = createKeptResults(options, parts);
  const { minLength } = kept;
  const keepHop = async (hop: Hop, { scope, canRead = true }: KeepOptions): Promise<Hop> => {
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
  };
  return {
    kept,
    hopRows: store && createHopRows({ store, minLength, ttlMs: limits.pendingHopTtlMs }),
    resolve: (call: Parameters<Resolve>[0]) => resolveReferences({ kept, limits }, call),
    /** What a host does with results before a model reads them: see `host.keep`. */
    async keep<Source extends Hop | ChainResult>(
      source: Source,
      options: KeepOptions,
    ): Promise<Source> {
      if (!("hops" in source)) return (await keepHop(source as Hop, options)) as Source;
      const hops = await Promise.all(source.hops.map((hop) => keepHop(hop, options)));
      return { ...source, hops };
    },
  };
}
