/**
 * Remembers which queries have had their call. Queries that are resumed in several processes need one
 * store for all of them: a row with a unique key, `SET NX`, and the like.
 */
export interface QueryStore {
  /** True for the first who asks with this id, false ever after. Must be atomic. */
  claim(queryId: string): boolean | PromiseLike<boolean>;
}

/** A store for one process. It forgets the oldest queries beyond `maxQueries`. */
export function createQueryStore(maxQueries = 10_000): QueryStore {
  const claimed = new Set<string>();
  return {
    claim(queryId) {
      if (claimed.has(queryId)) return false;
      claimed.add(queryId);
      const [oldest] = claimed;
      if (claimed.size > maxQueries && oldest !== undefined) claimed.delete(oldest);
      return true;
    },
  };
}
