import { expect, it, vi } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

// A page that is offline cannot load code any more.
vi.mock("../../src/call/page-requests.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

it("needs no further code to say that the outcome of a call is unknown", async () => {
  const shop: McpPort = {
    list: async () => ({ tools: [{ name: "buy", inputSchema: { type: "object" } }] }),
    call: () => Promise.reject(new Error("Connection closed")),
  };
  const host = await createHost({ servers: { shop } });
  await expect(host.call({ tool: "buy" })).rejects.toMatchObject({ code: "outcome-unknown" });
});
