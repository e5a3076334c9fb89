// The store in Redis of docs/deploying.md, as an application would write it.
import type { Store } from "@toolrail/core";

/** As much of a client of the package `redis` as a store needs. */
export interface Redis {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, how: { PX: number; NX?: boolean }): Promise<string | null>;
  del(key: string): Promise<number>;
}

export function redisStore(redis: Redis): Store {
  const set = (
    key: string,
    value: unknown,
    { ttlMs, NX = false }: { ttlMs: number; NX?: boolean },
  ) => redis.set(`toolrail:${key}`, JSON.stringify(value), { PX: Math.ceil(ttlMs), NX });
  return {
    get: async (key) => JSON.parse((await redis.get(`toolrail:${key}`)) ?? "null"),
    set: (key, value, ttlMs) => set(key, value, { ttlMs }),
    delete: (key) => redis.del(`toolrail:${key}`), // 1 for the caller that removed it
    claim: async (key, value, ttlMs) => (await set(key, value, { ttlMs, NX: true })) === "OK",
  };
}
