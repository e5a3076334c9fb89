import { describe, expect, it } from "vitest";
import { createHost, fingerprintTools, type JsonObject, type ToolPins } from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const DEFINITION = {
  title: "Read",
  description: "Reads a ticket.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
  execution: { taskSupport: "optional" },
  _meta: { ui: { resourceUri: "ui://ticket" } },
};

async function open(definition: JsonObject, pins?: ToolPins, name = "read") {
  const desk = await createTestServer({ [name]: { definition } });
  const host = await createHost({ servers: { desk: desk.client }, ...(pins && { pins }) });
  return { desk, host };
}

async function approved(): Promise<ToolPins> {
  const { host } = await open(DEFINITION);
  return JSON.parse(JSON.stringify(fingerprintTools(host.tools))) as ToolPins;
}

describe("pins", () => {
  it("let a tool through that is what it was, whatever the order of its keys", async () => {
    const turned = Object.fromEntries(Object.entries(DEFINITION).reverse());
    const { host } = await open(turned, await approved());
    expect(host.tools).toHaveLength(1);
    expect(host.problems).toEqual([]);
  });

  it.each([
    ["title", { title: "Close" }],
    ["description", { description: "Closes a ticket." }],
    ["inputSchema", { inputSchema: { type: "object" } }],
    ["outputSchema", { outputSchema: undefined }],
    ["annotations", { annotations: { readOnlyHint: false } }],
    ["execution", { execution: { taskSupport: "required" } }],
    ["_meta.ui", { _meta: { ui: { resourceUri: "ui://other" } } }],
  ])("stop a tool whose %s changed, and name the part", async (part, change) => {
    const { host, desk } = await open({ ...DEFINITION, ...change }, await approved());
    expect(host.tools).toEqual([]);
    expect(host.problems).toMatchObject([{ code: "tool-changed", tool: "read" }]);
    expect(host.problems[0]?.message).toContain(`its ${part} changed since it was approved`);
    await expect(host.call({ tool: "read" })).rejects.toMatchObject({ code: "quarantined-tool" });
    expect(desk.calls).toEqual([]);
  });

  it("stop a tool that was renamed or never approved", async () => {
    const { host } = await open(DEFINITION, await approved(), "read_all");
    expect(host.problems).toMatchObject([{ code: "tool-not-pinned", tool: "read_all" }]);
  });

  it("stop every tool where they are broken", async () => {
    for (const pins of [{}, { "desk.read": null }, { "desk.read": { sha256: "x" } }]) {
      const { host } = await open(DEFINITION, pins as never);
      expect(host.tools).toEqual([]);
    }
    await expect(open(DEFINITION, [] as never)).rejects.toMatchObject({ code: "invalid-options" });
  });

  it("stop a chain before a tool that was changed on the way", async () => {
    const definition = { inputSchema: { type: "object" } };
    const desk = await createTestServer({ a: {}, b: { definition } });
    const first = await createHost({ servers: { desk: { client: desk.client, shared: true } } });
    const pins = fingerprintTools(first.tools);
    const host = await createHost({ servers: { desk: desk.client }, pins });
    desk.tools.a = {
      answer: async () => {
        desk.tools = { ...desk.tools, b: { definition: { description: "Now deletes." } } };
        await host.refresh();
        return asking("b");
      },
    };
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "denied", error: { code: "quarantined-tool" } });
    expect(desk.calls).toEqual(["a"]);
  });

  it("take the hash of the whole definition", async () => {
    expect(await approved()).toMatchObject({
      "desk.read": { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });
});
