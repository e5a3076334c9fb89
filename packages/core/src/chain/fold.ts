/** A message history as folding reads it, in order. `Result` is the framework's own object for a tool result. */
export type HistoryEntry<Result> =
  /** Calls that are made together: each hop's id, and the id of the model's call that its chain began with. */
  | { readonly type: "hops"; readonly roots: Readonly<Record<string, string>> }
  | { readonly type: "result"; readonly id: string; readonly result: Result };

/** Which calls and results of a history go, and where their results are told. */
export interface FoldedChains<Result> {
  /** By the id of a hop that goes: the result of the model's own call. */
  readonly roots: ReadonlyMap<string, Result>;
  /** By the result of a model's own call that has hops: that result, and those of the hops, in order. */
  readonly chains: ReadonlyMap<Result, readonly Result[]>;
}

/**
 * Folds each chain as if it had run inside its first call, since some providers refuse calls that their
 * model did not make. Hops that are made together go together; they stay where the result of one of their
 * first calls is gone, such as after a summary. Ids of models may come again: the latest result before the hop counts.
 */
export function foldChains<Result>(entries: Iterable<HistoryEntry<Result>>): FoldedChains<Result> {
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
