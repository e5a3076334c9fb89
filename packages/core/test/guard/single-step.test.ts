import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Allowlist, createSingleStep } from "../../src/guard/index.ts";
import { createHost, type HostEvent, type HostOptions, type McpPort } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";
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

  it.each<[string, unknown, RegExp]>([
    [
      "cannot offer tools of its list",
      ["desk.*"],
      /desk\.a \(it has no outputSchema: .*\), desk\.app \(it is for the application alone\), desk\.mcp_pipe \(it runs a pipe/,
    ],
    [
      "has a name that two servers use",
      ["desk.b", "same", "*.same"],
      /: same \(several tools have this name\)\.$/,
    ],
    ["has a broken list", { "desk.b": true }, /\["desk\.b"\] must be "allow" or "ask"/],
    ["has no list", undefined, /`allow` is wrong: it is missing/],
  ])("warns once, by name and reason, if it %s", async (_, allow, about) => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const app = { definition: { outputSchema, _meta: { ui: { visibility: ["app"] } } } };
    const tools = { a: untyped, app, b: typedTool(), mcp_pipe: typedTool(), same: typedTool() };
    const [desk, mail] = await Promise.all(
      [tools, { same: typedTool() }].map((one) => createTestServer(one)),
    );
    const servers = { desk: desk?.client, mail: mail?.client } as HostOptions["servers"];
    const host = await createHost({ servers, onEvent });
    const warnings = () => events.filter(({ type }) => type === "warning");
    expect(createSingleStep(host, { allow: ["desk.b"] }).tools).toHaveLength(1);
    expect(warnings()).toEqual([]);
    for (const _ of [1, 2]) createSingleStep(host, { allow: allow as Allowlist }).tools;
    expect(warnings()).toMatchObject([{ code: "guard-offers-less" }]);
    expect(warnings()[0]).toHaveProperty("about", expect.any(String));
    expect(warnings()[0]?.message).toMatch(about);
  });

  it("says in one short line how many tools it cannot offer, whatever their names are", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const names = Array.from({ length: 500 }, (_, at) => `tool_${at}\n${"x".repeat(100)}`);
    const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    const port: McpPort = { list: async () => ({ tools }), call: async () => ({ content: [] }) };
    const host = await createHost({ servers: { desk: port }, onEvent });
    expect(createSingleStep(host, { allow: ["*"] }).tools).toEqual([]);
    const { message = "" } = events.find(({ type }) => type === "warning") ?? {};
    expect(message).toMatch(/^[^\n]*desk\.tool_0[^\n]* and 497 more\.$/);
    expect(message.length).toBeLessThan(1_000);
  });

  it("makes a bounded number of warnings, however often its tools change", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const names = Array.from({ length: 110 }, (_, at) => `tool_${at}`);
    const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    const port: McpPort = { list: async () => ({ tools }), call: async () => ({ content: [] }) };
    const host = await createHost({ servers: { desk: port }, onEvent });
    for (const name of names) createSingleStep(host, { allow: [`desk.${name}`] }).tools;
    expect(events.filter(({ type }) => type === "warning")).toHaveLength(100);
  });

  it("warns of each of two guards that leave out different tools", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const { host } = await openDesk({ a: untyped, b: untyped }, { host: { onEvent } });
    for (const name of ["desk.a", "desk.b"]) createSingleStep(host, { allow: [name] }).tools;
    const told = events.flatMap((event) => (event.type === "warning" ? event.message : []));
    expect(told).toEqual([
      expect.stringContaining("desk.a (it has no outputSchema"),
      expect.stringContaining("desk.b (it has no outputSchema"),
    ]);
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
