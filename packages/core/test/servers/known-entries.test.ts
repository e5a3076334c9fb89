import { describe, expect, it, vi } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";
import { readByText } from "../../src/servers/known-entries.ts";

const entry = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});

describe("readByText", () => {
  it("reads an entry once, however often it is listed as a new object", () => {
    const read = vi.fn((one: unknown) => ({ one }));
    const readEntry = readByText(read);
    expect(readEntry(entry("say"))).toBe(readEntry(entry("say")));
    expect(readEntry(entry("say", { description: "Says it." }))).toEqual({
      one: entry("say", { description: "Says it." }),
    });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("reads a long entry each time, and forgets the oldest of many", () => {
    const read = vi.fn((one: unknown) => ({ one }));
    const readEntry = readByText(read);
    const long = entry("long", { description: "a".repeat(20_000) });
    expect(readEntry(long)).not.toBe(readEntry(long));
    const first = readEntry(entry("first"));
    const filler = "a".repeat(16_000);
    for (let at = 0; at < 200; at++) readEntry(entry(`tool_${at}`, { description: filler }));
    expect(readEntry(entry("first"))).not.toBe(first);
    expect(readEntry(entry("first"))).toEqual(first);
  });

  it("reads what has no JSON text as it is", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(readByText((one) => one === loop)(loop)).toBe(true);
  });
});

const portOf = (tools: readonly object[]): McpPort => ({
  list: async () => ({ tools }),
  call: async () => ({ content: [] }),
});

describe("The definitions of tools", () => {
  it("are shared by hosts, none of which can change them", async () => {
    const open = () => createHost({ servers: { a: portOf([entry("say")]) } });
    const [one] = (await open()).tools;
    const [other] = (await open()).tools;
    expect(other?.inputSchema).toBe(one?.inputSchema);
    expect(() => Object.assign(one?.inputSchema.properties as object, { more: {} })).toThrow(
      TypeError,
    );
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
