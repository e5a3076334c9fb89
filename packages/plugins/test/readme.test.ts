import { createHost } from "@toolrail/core";
import { references } from "@toolrail/plugins/references";
import { expect, it } from "vitest";

it("The host of the README is created.", async () => {
  const client = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
  const host = await createHost({ servers: { shop: client }, use: [references()] });
  expect(host.problems).toEqual([]);
});
