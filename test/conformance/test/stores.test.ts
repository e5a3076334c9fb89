import { runConformance } from "@toolrail/conformance";
import { describe, expect, it } from "vitest";
import { MemoryStore, type Store } from "../../../packages/core/src/call/store.ts";
import { storeChecks } from "../src/checks/store.ts";

const store = new MemoryStore({ maxBytes: 1e8, now: Date.now });

runConformance({ name: "the default memory", store: () => store }, { describe, it });

const keeping: Store = {
  get: (key) => store.get(key),
  set: (...given) => store.set(...given),
  delete: (key) => store.delete(key),
};

it.each(["claims-once", "claims-expired", "claims-deleted", "claims-kept", "settles"] as const)(
  "A store that only keeps, as a Keyv instance, reads in store/%s what it lacks.",
  async (id) => {
    const check = storeChecks[`store/${id}`](() => keeping);
    await expect(check).rejects.toThrow("The store has no claim(key, value, ttlMs)");
  },
);
