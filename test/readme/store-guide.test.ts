// Runs the store in Redis of docs/deploying.md, over a Redis in memory.
import { createHost } from "@toolrail/core";
import { expect, it } from "vitest";
import { type Redis, redisStore } from "./store-guide.ts";

function createRedis(): Redis {
  const rows = new Map<string, string>();
  return {
    get: async (key) => rows.get(key) ?? null,
    async set(key, value, { NX }) {
      if (NX && rows.has(key)) return null;
      rows.set(key, value);
      return "OK";
    },
    del: async (key) => Number(rows.delete(key)),
  };
}

it("The store in Redis lets two hosts make a call with one key once.", async () => {
  const redis = createRedis();
  let paid = 0;
  const shop = {
    list: async () => ({ tools: [{ name: "pay", inputSchema: { type: "object" } }] }),
    call: async () => ({ content: [{ type: "text", text: `payment ${++paid}` }] }),
  };
  const open = () => createHost({ servers: { shop }, store: redisStore(redis) });
  const [one, other] = [await open(), await open()];
  const request = { tool: "shop.pay" };
  const hops = await Promise.all(
    [one, other].map((host) => host.call(request, { key: "order-7" })),
  );
  expect(hops.map(({ result }) => result.content)).toEqual([
    [{ type: "text", text: "payment 1" }],
    [{ type: "text", text: "payment 1" }],
  ]);
  expect(hops.filter(({ madeBefore }) => madeBefore)).toHaveLength(1);
  expect(paid).toBe(1);
});
