import { createHost, modelView } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";

async function answering(result: unknown, definition = {}) {
  const server = await createTestServer({
    bad: { definition, answer: () => result },
    good: {},
  });
  const host = await createHost({ servers: { bank: server.client } });
  return { server, host };
}

/** Expects a refusal for this reason, and a host that goes on. */
async function expectRefusal(result: unknown, why: string | RegExp): Promise<void> {
  const { host } = await answering(result);
  await expect(host.call({ tool: "bad" })).rejects.toMatchObject({
    code: "malformed-result",
    message: expect.stringMatching(why),
  });
  expect((await host.call({ tool: "good" })).result.content).toHaveLength(1);
}

function deep(levels: number): unknown {
  return JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
}

describe("a result that is too deep", () => {
  it("is refused with 100,000 levels, and the process survives", async () => {
    await expectRefusal({ content: [], structuredContent: deep(100_000) }, "was dropped");
  });

  it("is refused in _meta as well", async () => {
    const nextTool = { tool: "good", arguments: { x: deep(10_000) } };
    await expectRefusal({ content: [], _meta: { nextTool } }, "was dropped");
  });
});

describe("a result that is too large", () => {
  it("is refused with 50 MB", async () => {
    const text = "x".repeat(50_000_000);
    await expectRefusal({ content: [{ type: "text", text }] }, "was dropped");
  });

  it("is refused when it is many small things", async () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: "text", text: "x" }));
    await expectRefusal({ content }, "was dropped");
  });
});

describe("an interim result", () => {
  it.each([
    ["that asks the user", { resultType: "input_required", inputRequests: { a: {} } }],
    [
      "that asks for a model",
      {
        resultType: "input_required",
        inputRequests: { m: { method: "sampling/createMessage" } },
        requestState: "s",
      },
    ],
    ["that is a task", { resultType: "task", task: { taskId: "t", status: "working" } }],
    ["of an unknown kind", { resultType: "later", content: [] }],
  ])("is refused and not answered: %s", async (_, result) => {
    await expectRefusal(result, /an interim result|asks the user something in an invalid way/);
  });

  it("ends a chain, and keeps the earlier hops", async () => {
    const server = await createTestServer({
      a: { answer: () => ({ content: [], _meta: { nextTool: { tool: "b" } } }) },
      b: { answer: () => ({ resultType: "input_required", inputRequests: {} }) },
    });
    const host = await createHost({ servers: { bank: server.client } });
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "failed", error: { code: "malformed-result" } });
    expect(chain.hops).toHaveLength(1);
    expect(server.calls).toEqual(["a", "b"]);
  });
});

describe("a result of very many parts", () => {
  it("is read in time, though each of its texts might be each of its values", () => {
    const row = (at: number) => `{"row": ${at}, "of": "a table that is long enough to point to"}`;
    const content = Array.from({ length: 20_000 }, (_, at) => ({ type: "text", text: row(at) }));
    const structuredContent = { rows: content.map(({ text }) => `${text} `) };
    expect(modelView({ content, structuredContent }).content).toHaveLength(20_001);
  });
});

describe("an error result", () => {
  it("is never a typed output, even if its details fit the schema", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } } };
    const result = { content: [], structuredContent: { n: 1 }, isError: true };
    const { host } = await answering(result, { outputSchema });
    const hop = await host.call({ tool: "bad" });
    expect(hop.output).toEqual({ status: "unchecked" });
    expect(modelView(hop)).toMatchObject({ isError: true });
  });

  it.each(["true", 1, null])("is malformed with %o as isError", async (isError) => {
    await expectRefusal({ content: [], isError }, "isError");
  });
});
