import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const entry = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});

const portOf = (tools: readonly object[]): McpPort => ({
  list: async () => ({ tools }),
  call: async () => ({ content: [] }),
});

describe("The definitions of tools", () => {
  it("are read once for each text, also by several hosts, unless they are long or many others came between", async () => {
    const open = async (...tools: object[]) => {
      const host = await createHost({ servers: { a: portOf(tools) } });
      return host.tools.map(({ inputSchema }) => inputSchema);
    };
    const [first] = await open(entry("say"));
    expect((await open(entry("say")))[0]).toBe(first);
    const long = entry("long", { description: "a".repeat(20_000) });
    expect((await open(long))[0]).not.toBe((await open(long))[0]);
    await open(
      ...Array.from({ length: 200 }, (_, at) =>
        entry(`tool_${at}`, { description: "a".repeat(16_000) }),
      ),
    );
    const [again] = await open(entry("say"));
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it("stay as they were read if a server changes its own object later, until its list is read again", async () => {
    const tool = entry("say");
    const host = await createHost({ servers: { a: portOf([tool]) } });
    Object.assign(tool.inputSchema.properties, { more: { type: "string" } });
    expect(host.find("say").inputSchema).toEqual(entry("say").inputSchema);
    await host.refresh();
    expect(host.find("say").inputSchema).toEqual(tool.inputSchema);
  });
});
