import type { Store } from "@toolrail/core";
import { expect, it } from "vitest";
import { CHAIN, chained, openBank } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { generate } from "./runs.ts";

it.each(majors)(
  "A hop makes three trips to the store on $name: it is kept, read for its turn, and taken.",
  async (major) => {
    const kept = new Map<string, unknown>();
    const trips: string[] = [];
    const store: Store = {
      get(key) {
        trips.push("get");
        return kept.get(key);
      },
      set(key, value) {
        trips.push("set");
        kept.set(key, value);
      },
      delete(key) {
        trips.push("delete");
        return kept.delete(key);
      },
    };
    const { server, host } = await openBank(CHAIN, { store, authorize: () => "allow" });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(major, chained(host, model));
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(trips).toEqual(["set", "get", "delete", "set", "get", "delete"]);
  },
);
