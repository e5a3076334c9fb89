/**
 * Keeps what outlives a call: hops that wait, which queries have had their call, and with `claim` the results of calls.
 * Values are plain JSON; every method may answer with a promise. A table of a database fits, or a Keyv instance. Share
 * one between processes to let a run go on in another process than it began in.
 */
export interface Store {
  /** The value, or `undefined`. */
  get(key: string): unknown;
  /** Keeps a value, which may be forgotten after `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): unknown;
  /** Removes a value. Truthy, such as `true` or `1`, for the caller that removed the value; `false`, `0` or nothing for all others. */
  delete(key: string): unknown;
  /**
   * Keeps the value for `ttlMs` milliseconds, and not less, where the key has none, or one that has expired: `true`
   * for the caller whose value is kept, `false` for all others, in one atomic step (`insert … on conflict`,
   * `SET … NX PX`). Without it, two workers that go on with the same run at once may both make a call.
   */
  claim?(key: string, value: unknown, ttlMs: number): boolean | PromiseLike<boolean>;
}

/** A store that can make a call once. */
export type ClaimingStore = Store & Required<Pick<Store, "claim">>;
