import { invalidOptions } from "../errors.ts";

/** An entry of a message history, in order. `Result` is the framework's own object for a tool result. */
export type HistoryEntry<Result> =
  /** Calls that are made together: the id of each hop, with the id of the model's call that began its chain. */
  | { readonly type: "hops"; readonly roots: Readonly<Record<string, string>> }
  | { readonly type: "result"; readonly id: string; readonly result: Result };

/** The calls and results that folding removes from a history, and the results that replace them. */
export interface FoldedChains<Result> {
  /** The result of the model's own call, by the id of a removed hop. */
  readonly roots: ReadonlyMap<string, Result>;
  /** The results of a chain in order, by the result of the model's own call. That result is the first. */
  readonly chains: ReadonlyMap<Result, readonly Result[]>;
}

/**
 * Folds each chain as if it had run inside its first call, since some providers refuse calls that their model did not make. Hops
 * that are made together are removed together. They stay if the result of one of their first calls is gone, such as after a
 * summary. Ids of models may repeat, so the latest result before the hop counts.
 */
export function foldChains<Result>(entries: Iterable<HistoryEntry<Result>>): FoldedChains<Result> {
  if (typeof entries === "string" || !(Symbol.iterator in Object(entries)))
    throw invalidOptions("foldChains takes a list of entries.");
  const latest = new Map<string, Result>();
  const roots = new Map<string, Result>();
  const chains = new Map<Result, Result[]>();
  for (const entry of entries) {
    if (entry.type === "result") {
      const root = roots.get(entry.id);
      if (root === undefined) latest.set(entry.id, entry.result);
      else chains.set(root, [...(chains.get(root) ?? [root]), entry.result]);
      continue;
    }
    const hops = Object.entries(entry.roots);
    if (!hops.every(([, root]) => latest.has(root))) continue;
    for (const [hop, root] of hops) roots.set(hop, latest.get(root) as Result);
  }
  return { roots, chains };
}
