import { createHost } from "@toolrail/core";
import { once } from "@toolrail/core/once";
import { describe, expect, it } from "vitest";

const port = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
const store = { get: () => undefined, set: () => {}, delete: () => {} };

describe("once", () => {
  it.each([{ store }, {}])("is refused by a host whose store cannot claim: %j", async (options) => {
    const made = createHost({ servers: { shop: port }, use: [once()], ...options });
    await expect(made).rejects.toThrow(/a store that can `claim`/);
  });
});
