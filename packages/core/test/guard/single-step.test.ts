import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createSingleStep } from "../../src/guard/index.ts";
import { createHost, type HostEvent, type McpPort } from "../../src/index.ts";
import { good, openDesk, outputSchema, typedTool } from "./open-desk.ts";

const untyped = { answer: () => ({ content: [{ type: "text", text: "hi" }] }) };

/** A port that lists tools of these names, made anew with each list. */
function listPort(names: readonly string[]): McpPort {
  const inputSchema = { type: "object" };
  return {
    list: async () => ({ tools: names.map((name) => ({ name, inputSchema, outputSchema })) }),
    call: async () => ({ content: [] }),
  };
}

describe("createSingleStep", () => {
  it("offers the tools that are listed, allowed and open to models", async () => {
    const hidden = { definition: { outputSchema, _meta: { ui: { visibility: ["app"] } } } };
    const { guard } = await openDesk(
      { a: typedTool(), b: typedTool(), hidden, mcp_pipe: typedTool() },
      { allow: ["desk.a", "desk.hidden", "desk.gone", "desk.mcp_pipe"] },
    );
    expect(guard.tools.map(({ id }) => id)).toEqual(["desk.a"]);
    expect(guard.problem).toBeUndefined();
  });

  it("offers nothing and says why when the allowlist is invalid", async () => {
    const { guard } = await openDesk({ a: typedTool() }, { allow: {} });
    expect(guard.tools).toEqual([]);
    expect(guard.problem).toContain("is empty");
  });

  it.each([
    ["a tool of its list has no output schema", ["desk.a", "desk.b"]],
    ["its list is broken", { "desk.b": true } as never],
    ["there is no list", undefined],
  ])("warns once if %s, since the SDKs drop what is not offered", async (_, allow) => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => events.push(event);
    const { host } = await openDesk({ a: untyped, b: typedTool() }, { host: { onEvent } });
    expect(createSingleStep(host, { allow: ["desk.b"] }).tools).toHaveLength(1);
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    for (const _ of [1, 2]) createSingleStep(host, { allow }).tools;
    const [warning, ...more] = events.filter(({ type }) => type === "warning");
    expect(warning).toMatchObject({ code: "guard-offers-less" });
    expect(warning?.message).toContain("output schema");
    expect(more).toEqual([]);
  });

  it("neither offers nor calls a tool whose output cannot be checked", async () => {
    const { guard, desk } = await openDesk({ a: untyped });
    expect(guard.tools).toEqual([]);
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({
      code: "quarantined-tool",
      called: false,
    });
    expect(desk.calls).toEqual([]);
  });

  it("calls a tool without an output schema if the host has a parser for it", async () => {
    const schemas = { "desk.a": z.object({ ok: z.boolean() }) };
    const { guard } = await openDesk({ a: { answer: () => good } }, { host: { schemas } });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "complete" });
  });

  it("calls a tool whose output cannot be checked when the contract is off", async () => {
    const { guard } = await openDesk({ a: untyped }, { contract: "off" });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "untyped-output" });
  });

  it("gives the same array of tools until a list of the host changes", async () => {
    const { guard, host, desk } = await openDesk({ a: typedTool() });
    const before = guard.tools;
    await host.refresh();
    expect(guard.tools).toBe(before);
    desk.tools = { ...desk.tools, b: typedTool() };
    await host.refresh();
    expect(guard.tools.map(({ id }) => id)).toEqual(["desk.a", "desk.b"]);
  });

  it("reads 1,000 tools under 200 rules in less than 5 ms", async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `tool_${at}`);
    const host = await createHost({ servers: { desk: listPort(names) } });
    const patterns = names.slice(0, 100).map((name) => `*.${name}*`);
    const guard = createSingleStep(host, { allow: [...names.slice(500, 600), ...patterns] });
    expect(guard.tools.length).toBeGreaterThan(200);
    const startMs = performance.now();
    for (let read = 0; read < 20; read++) expect(guard.tools.length).toBeGreaterThan(0);
    expect((performance.now() - startMs) / 20).toBeLessThan(5);
  });
});
