import { createHost } from "@toolrail/core";
import { sources } from "@toolrail/plugins/sources";
import { expect, it } from "vitest";

it("The host of the README is created.", async () => {
  const client = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
  const host = await createHost({ servers: { shop: client }, use: [sources()] });
  expect(host.problems).toEqual([]);
});
