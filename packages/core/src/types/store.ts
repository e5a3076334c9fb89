/**
 * Keeps values that outlive a call: pending hops, which guarded queries have used their call, and, with `claim`, the results
 * of calls. Values are plain JSON. Every method may return a promise. A Keyv instance fits, and so does a table of a
 * database. Processes that share a store can continue the runs of each other.
 */
export interface Store {
  /** Returns the value, or `undefined`. */
  get(key: string): unknown;
  /** Stores a value, which may be dropped after `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): unknown;
  /**
   * Removes a value. Returns a truthy value, such as `true` or `1`, to the caller that removed it, and a falsy one to all
   * others.
   */
  delete(key: string): unknown;
  /**
   * Stores the value for at least `ttlMs` milliseconds if the key has no value, or an expired one. Returns `true` to the
   * caller whose value is stored, and `false` to all others. Must be one atomic step (`insert … on conflict`, `SET … NX
   * PX`). Without `claim`, two workers that continue the same run at once may both make a call.
   */
  claim?(key: string, value: unknown, ttlMs: number): boolean | PromiseLike<boolean>;
}

/** A store that can ensure that a call is made once. */
export type ClaimingStore = Store & Required<Pick<Store, "claim">>;
