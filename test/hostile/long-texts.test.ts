import { createHost, type HostOptions } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { afterEach, describe, expect, it } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { everyPath } from "./fixtures/every-path.ts";

const MAX_KEY = 5_000;
const KEYED = [
  [Map.prototype, ["get", "has", "set"]],
  [Set.prototype, ["has", "add"]],
] as const;
const undo: (() => void)[] = [];

afterEach(() => {
  for (const one of undo.splice(0)) one();
});

/** Collects the places where code of this repository looks a long text up: an engine hashes the whole of each. */
function watchKeys(): string[] {
  const found: string[] = [];
  for (const [prototype, names] of KEYED) {
    for (const name of names) {
      const own: unknown = Reflect.get(prototype, name);
      const watch = function (this: unknown, ...args: unknown[]): unknown {
        const [key] = args;
        if (typeof key === "string" && key.length > MAX_KEY) {
          const caller = new Error().stack
            ?.split("\n")
            .find((line) => /\(?(file|\/)/.test(line) && !line.includes("long-texts"));
          if (caller?.includes("/packages/")) found.push(caller.trim());
        }
        return Reflect.apply(own as () => unknown, this, args);
      };
      Object.assign(prototype, { [name]: watch });
      undo.push(() => Object.assign(prototype, { [name]: own }));
    }
  }
  return found;
}

const LONG = "a long text of the server. ".repeat(1_000);
const VALUE = { ok: LONG, more: "yes" };
const definition = {
  inputSchema: { type: "object", properties: { token: { type: "string" } } },
  outputSchema: { type: "object", properties: { ok: { type: "string" } } },
};
const answer = () => ({
  content: [LONG, JSON.stringify(VALUE), `${LONG}.`].map((text) => ({ type: "text", text })),
  structuredContent: { ...VALUE, again: `${LONG}.` },
});
const OPTIONS: Record<string, Omit<HostOptions, "servers">> = {
  "that keeps long results": { use: [references()] },
};

describe.each(everyPath)("a model that calls by $name", (path) => {
  it.each(Object.keys(OPTIONS))("makes no key of a long text on a host %s.", async (option) => {
    const server = await createTestServer({ a: { definition, answer } });
    const host = await createHost({ servers: { bank: server.client }, ...OPTIONS[option] });
    const found = watchKeys();
    await path.call(host);
    expect(found).toEqual([]);
  });
});
