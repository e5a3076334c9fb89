import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import { fingerprintTools, pins, type ToolPins } from "../../src/contract/index.ts";
import { createHost } from "../../src/index.ts";
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

async function open(definition: JsonObject, approved?: ToolPins, name = "read") {
  const desk = await createTestServer({ [name]: { definition } });
  const host = await createHost({
    servers: { desk: desk.client },
    ...(approved && { use: [pins(approved)] }),
  });
  return { desk, host };
}

async function approved(): Promise<ToolPins> {
  const { host } = await open(DEFINITION);
  return JSON.parse(JSON.stringify(fingerprintTools(host.tools))) as ToolPins;
}

describe("pins", () => {
  it("A tool that is what it was is offered, whatever the order of its keys.", async () => {
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
    ["execution", { execution: { taskSupport: "forbidden" } }],
    ["_meta.ui", { _meta: { ui: { resourceUri: "ui://other" } } }],
  ])(
    "A tool whose %s changed is quarantined, and the problem names the part.",
    async (part, change) => {
      const { host, desk } = await open({ ...DEFINITION, ...change }, await approved());
      expect(host.tools).toEqual([]);
      expect(host.problems).toMatchObject([{ code: "tool-changed", tool: "read" }]);
      expect(host.problems[0]?.message).toContain(`its ${part} changed since it was approved`);
      await expect(host.call({ tool: "read" })).rejects.toMatchObject({ code: "quarantined-tool" });
      expect(desk.calls).toEqual([]);
    },
  );

  it("A tool that was never approved is quarantined.", async () => {
    const { host } = await open(DEFINITION, {}, "read_all");
    expect(host.problems).toMatchObject([{ code: "tool-not-pinned", tool: "read_all" }]);
  });

  it("A tool that was renamed refuses the host, and the error says which is like it.", async () => {
    const renamed = open(DEFINITION, await approved(), "read_all");
    await expect(renamed).rejects.toThrow(
      'no server lists such a tool. Did you mean "desk.read_all"?',
    );
  });

  it("Broken pins quarantine every tool.", async () => {
    for (const pins of [
      {},
      { "desk.read": null },
      { "desk.read": { name: "x" } },
      { "desk.read": "x" },
    ]) {
      const { host } = await open(DEFINITION, pins as never);
      expect(host.tools).toEqual([]);
    }
    expect(() => pins([] as never)).toThrow(/fingerprintTools/);
  });

  it("A chain stops before a tool that was changed on the way.", async () => {
    const definition = { inputSchema: { type: "object" } };
    const desk = await createTestServer({ a: {}, b: { definition } });
    const first = await createHost({ servers: { desk: { client: desk.client, shared: true } } });
    const screen = [pins(fingerprintTools(first.tools))];
    const host = await createHost({ servers: { desk: desk.client }, use: [...screen] });
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
});

describe("fingerprintTools", () => {
  it("A tool has the same fingerprint in every release.", async () => {
    expect(await approved()).toMatchObject({
      "desk.read": {
        name: "6f3658822a73dc4c1d09ba64a062d0d1ef89fb250f5f5923c3a1755c2f63b1db",
        inputSchema: "e36382ec6abef464816fd2d62cfb88a3995907a5e91763b95fe4cbed24380252",
        "_meta.ui": "fbe46ce5f908ac387b42c0ca88fceafec7c07c9077b606d4b77000c53f8af274",
      },
    });
  });

  it("A part that a tool does not have has no fingerprint.", async () => {
    const { host } = await open({});
    const { "desk.read": pin } = fingerprintTools(host.tools);
    expect(Object.keys(pin ?? {})).toEqual(["name", "inputSchema"]);
  });
});
