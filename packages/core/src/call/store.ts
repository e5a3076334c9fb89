/**
 * Keeps what outlives a call: hops that wait, and which queries have had their call. Values are plain JSON.
 * A `Map`-like cache, a database table or a Keyv instance fits; every method may answer with a promise.
 * Share one between processes to let a run go on in another process than it began in.
 */
export interface Store {
  /** The value, or `undefined`. */
  get(key: string): unknown;
  /** May forget the value after `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): unknown;
  /** Truthy for the caller that removed the value. */
  delete(key: string): unknown;
  /**
   * True for the first caller with this key until `ttlMs` milliseconds are over, false for all others: one
   * atomic step. Without it two processes that go on with the same run at once may both make a call.
   */
  claim?(key: string, ttlMs: number): boolean | PromiseLike<boolean>;
  /** True for a key whose value went before its time, since the store was full: a person who approves it is told so. */
  forgot?(key: string): unknown;
}

/** True for one caller with this key. Without `claim` in the store, two callers at the very same time may both get true. */
export async function claimOnce(
  store: Store,
  { key, ttlMs }: { readonly key: string; readonly ttlMs: number },
): Promise<boolean> {
  if (store.claim) return (await store.claim(key, ttlMs)) === true;
  if ((await store.get(key)) !== undefined) return false;
  await store.set(key, true, ttlMs);
  return true;
}
