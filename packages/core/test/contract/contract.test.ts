import { describe, expect, it } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { createHost } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const SLOPPY = { definition: { description: "Does something or other." } };

const SOUND = {
  definition: {
    description: "Fetches a document by its id.",
    outputSchema: { type: "object", properties: { content: { type: "string" } } },
  },
  answer: () => ({ content: [], structuredContent: { content: "x" } }),
};

describe("contract", () => {
  it("A tool that breaks a must is quarantined, and no other.", async () => {
    const docs = await createTestServer({ sloppy: SLOPPY, fetch_doc: SOUND });
    const host = await createHost({ servers: { docs: docs.client }, use: [contract()] });
    expect(host.tools.map((tool) => tool.name)).toEqual(["fetch_doc"]);
    expect(host.problems).toMatchObject([{ code: "contract", tool: "sloppy", findings: [{}] }]);
    expect(host.problems[0]?.message).toMatch(/^Tool docs.sloppy is not offered: it has 1 finding/);
    await expect(host.call({ tool: "sloppy" })).rejects.toMatchObject({ code: "quarantined-tool" });
    expect(docs.calls).toEqual([]);
  });
});
