import { Server } from "@modelcontextprotocol/server";
import { createHost, type HostEvent, modelView } from "@toolrail/core";
import { describe, expect, it, vi } from "vitest";
import type { McpClientLike } from "../../core/src/servers/to-port.ts";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { createNextTool } from "../src/index.ts";
import { registerMcpPipe } from "../src/pipe.ts";
import { echo, type TestHandler, wires } from "./wires.ts";

const SPEC = {
  vars: { q: "tea" },
  steps: [
    { id: "a", tool: "echo", args: { v: `\${vars.q}` } },
    {
      id: "g",
      parallel: [{ id: "b", tool: "echo", args: { v: { $ref: "steps.a.structured.v" } } }],
    },
  ],
  return: { $ref: "steps.g.children.b.structured.v" },
};

describe.each(wires)("mcp_pipe on a server of $name", ({ open }) => {
  it("is listed beside the server's own tools, with honest annotations", async () => {
    const { server, connect } = await open({ echo });
    registerMcpPipe(server);
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["echo", "mcp_pipe"]);
    expect(tools[1]).toMatchObject({
      description: expect.stringContaining("- echo(v?: any, n?: number)"),
      annotations: { readOnlyHint: false, destructiveHint: true },
      inputSchema: { properties: { steps: { type: "array" } } },
    });
  });

  it("warns once of a name in `tools` that the server does not list", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { server, connect } = await open({ echo });
    registerMcpPipe(server, { tools: ["ehco"] });
    const client = await connect();
    await client.listTools();
    await client.callTool({ name: "mcp_pipe", arguments: SPEC });
    const says = 'names "self.ehco", but no server lists such a tool. Did you mean "self.echo"?';
    expect(warn.mock.calls).toEqual([[expect.stringContaining(says)]]);
  });

  it("runs a pipe over the wire: a small reply as text, and all steps in the structured content", async () => {
    const { server, connect } = await open({ echo });
    registerMcpPipe(server);
    const client = await connect();
    const result = await client.callTool({ name: "mcp_pipe", arguments: SPEC });
    expect(result).toMatchObject({
      content: [{ type: "text", text: '{"ok":true,"error":"","result":"tea"}' }],
      structuredContent: {
        ...{ ok: true, error: "", result: "tea" },
        steps: { a: { ok: true }, g: { children: { b: { ok: true } } } },
      },
      isError: false,
    });
    const text = JSON.stringify({ spec: JSON.stringify(SPEC) });
    expect(await client.callTool({ name: "mcp_pipe", arguments: JSON.parse(text) })).toMatchObject({
      structuredContent: { result: "tea" },
    });
  });

  it("shows a host's model the reply, and then the whole", async () => {
    const { server, connect } = await open({ echo });
    registerMcpPipe(server);
    const client = (await connect()) as unknown as McpClientLike;
    const host = await createHost({ servers: { web: client } });
    const { content } = modelView(await host.run({ tool: "mcp_pipe", arguments: SPEC }));
    const reply = { ok: true, error: "", result: "tea" };
    const texts = content.map(({ text = "" }) => JSON.parse(text));
    expect(texts).toMatchObject([reply, { ...reply, steps: { a: { structured: { v: "tea" } } } }]);
  });

  it("gives every step the context of the caller, and each call its own record", async () => {
    const seen: unknown[] = [];
    const events: HostEvent[] = [];
    const record: TestHandler = (args, context) => {
      const { _meta, mcpReq } = context as { _meta?: unknown; mcpReq?: { _meta?: unknown } };
      seen.push({ args, meta: mcpReq?._meta ?? _meta });
      return echo(args, context);
    };
    const { server, connect } = await open({ echo: record });
    registerMcpPipe(server, { onEvent: (event) => events.push(event) });
    const client = await connect();
    await client.callTool({ name: "mcp_pipe", arguments: SPEC, _meta: { tenant: "t1" } });
    expect(seen).toMatchObject([
      { args: { v: "tea" }, meta: { tenant: "t1" } },
      { args: { v: "tea" }, meta: { tenant: "t1" } },
    ]);
    const recorded = events.filter((event) => event.type === "call" && event.stage === "record");
    expect(recorded).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: "pipe", stage: "ended", calls: 2 });
  });

  it("gives every step a key of its own, the same if the caller repeats the pipe with its key", async () => {
    const seen: { readonly [name: string]: unknown }[] = [];
    const record: TestHandler = (args, context) => {
      const { _meta, mcpReq } = context as { _meta?: object; mcpReq?: { _meta?: object } };
      seen.push({ ...(mcpReq?._meta ?? _meta) });
      return echo(args, context);
    };
    const { server, connect } = await open({ echo: record });
    registerMcpPipe(server);
    const client = await connect();
    const _meta = { "toolrail/idempotencyKey": "of the pipe", progressToken: 1 };
    for (const _ of [1, 2]) await client.callTool({ name: "mcp_pipe", arguments: SPEC, _meta });
    const keys = seen.map((meta) => meta["toolrail/idempotencyKey"]);
    expect(new Set(keys).size).toBe(2);
    expect(keys.slice(2)).toEqual(keys.slice(0, 2));
    expect(keys).not.toContain("of the pipe");
    expect(seen.every((meta) => meta.progressToken === undefined)).toBe(true);
  });

  it("says what is wrong with an invalid spec, and calls nothing", async () => {
    let calls = 0;
    const { server, connect } = await open({
      echo: (args, context) => {
        calls++;
        return echo(args, context);
      },
    });
    registerMcpPipe(server);
    const steps = [
      { id: "a", tool: "echo" },
      { id: "b", tool: "mcp_pipe" },
      { id: "c", tool: "no" },
    ];
    const result = await (await connect()).callTool({ name: "mcp_pipe", arguments: { steps } });
    expect(result).toMatchObject({ isError: true, structuredContent: { ok: false } });
    const { error } = (result as { structuredContent: { error: string } }).structuredContent;
    expect(error).toMatch(/steps\[1\]\.tool: mcp_pipe cannot call itself.*steps\[2\]\.tool/);
    expect(error).toContain("Known tools: self.echo.");
    expect(calls).toBe(0);
  });

  it("takes the names of tools as its errors write them", async () => {
    const { server, connect } = await open({ echo });
    registerMcpPipe(server);
    const steps = [{ id: "a", tool: "self.echo", args: { v: "x" } }];
    const client = await connect();
    expect(await client.callTool({ name: "mcp_pipe", arguments: { steps } })).toMatchObject({
      structuredContent: { ok: true, result: { v: "x" } },
    });
  });

  it("keeps to the tools that the operator lists, and is off by option", async () => {
    const { server, connect } = await open({ echo, wipe: echo });
    registerMcpPipe(server, { enabled: false });
    registerMcpPipe(server, { tools: ["echo"] });
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => name === "mcp_pipe")).toHaveLength(1);
    const steps = [{ id: "a", tool: "wipe" }];
    expect(await client.callTool({ name: "mcp_pipe", arguments: { steps } })).toMatchObject({
      structuredContent: { ok: false, error: expect.stringContaining("steps[0].tool") },
    });
  });

  it("keeps what was done when a step fails or never answers", async () => {
    const { server, connect } = await open({
      echo,
      bad: () => {
        throw new Error("no luck");
      },
    });
    registerMcpPipe(server);
    const steps = [
      { id: "a", tool: "echo", args: { v: 1 } },
      { id: "b", tool: "bad" },
    ];
    expect(
      await (await connect()).callTool({ name: "mcp_pipe", arguments: { steps } }),
    ).toMatchObject({
      isError: true,
      structuredContent: {
        ...{ ok: false, error: "steps.b: no luck" },
        steps: { a: { ok: true, structured: { v: 1 } }, b: { ok: false } },
      },
    });
  });

  it("follows no nextTool of a step", async () => {
    const echoed: unknown[] = [];
    const tools: Record<string, TestHandler> = {
      echo(args, context) {
        echoed.push(args);
        return echo(args, context);
      },
    };
    const opened = await open({
      ...tools,
      start: async () => ({ content: [], _meta: await nextTool("echo", { v: "next" }) }),
    });
    const nextTool = createNextTool(opened.server);
    registerMcpPipe(opened.server);
    const steps = [{ id: "s", tool: "start" }];
    const client = await opened.connect();
    const result = await client.callTool({ name: "mcp_pipe", arguments: { steps } });
    expect(result).toMatchObject({ structuredContent: { ok: true } });
    expect(echoed).toEqual([]);
  });
});

describe.each(wires)("nextTool on a server of $name", ({ open }) => {
  it("makes _meta that names a listed tool with arguments that it takes", async () => {
    const { server } = await open({ echo });
    expect(await createNextTool(server)("echo", { n: 1 })).toEqual({
      nextTool: { tool: "echo", arguments: { n: 1 } },
    });
  });

  it("refuses a tool that the server does not list", async () => {
    const { server } = await open({ echo });
    await expect(createNextTool(server)("nowhere")).rejects.toMatchObject({
      code: "unknown-tool",
      message: 'There is no tool "self.nowhere". Known tools: self.echo.',
    });
  });

  it("refuses arguments that the tool does not take", async () => {
    const { server } = await open({ echo });
    await expect(createNextTool(server)("echo", { n: "one" })).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining("/n must be number"),
    });
  });
});

it("runs a pipe on a low-level server, whose list and calls are its own handlers", async () => {
  const { server, client, calls } = await createTestServer({
    a: { answer: () => asking("b") },
    b: { answer: ({ arguments: args }) => ({ content: [], structuredContent: args }) },
  });
  registerMcpPipe(server);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["a", "b", "mcp_pipe"]);
  const steps = ["a", "b"].map((tool) => ({
    id: tool,
    tool,
    ...(tool === "b" && { args: { v: 2 } }),
  }));
  const result = await client.callTool({ name: "mcp_pipe", arguments: { steps } });
  expect(result.structuredContent).toMatchObject({ ok: true, error: "", result: { v: 2 } });
  expect(calls).toEqual(["a", "b"]);
  await expect(createNextTool(server)("c")).rejects.toMatchObject({ code: "unknown-tool" });
});

it("calls no tool of the server that is for apps alone, and none that `authorize` denies", async () => {
  const { server, client, calls } = await createTestServer({
    a: { definition: { _meta: { ui: { visibility: ["app"] } } } },
    b: {},
    c: {},
  });
  registerMcpPipe(server, {
    authorize: ({ tool }) => (tool.name === "b" ? { deny: "not in a pipe" } : "allow"),
  });
  const run = (tool: string) => {
    const steps = [{ id: "s", tool }];
    return client.callTool({ name: "mcp_pipe", arguments: { steps } });
  };
  const failed = (error: string) => ({ isError: true, structuredContent: { error } });
  expect(await run("a")).toMatchObject(failed(expect.stringContaining("only for the application")));
  expect(await run("b")).toMatchObject(failed(expect.stringContaining("not in a pipe")));
  expect(await run("c")).toMatchObject({ isError: false });
  expect(calls).toEqual(["c"]);
});

it("nextTool goes by the list that the server has now, and by all of its pages", async () => {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  const accepting = (...types: string[]) =>
    types.map((type, at) => ({
      name: `t${at}`,
      inputSchema: { type: "object" as const, properties: { v: { type } } },
    }));
  let pages = [accepting("string")];
  server.setRequestHandler("tools/list", ({ params }) => {
    const at = Number(params?.cursor ?? 0);
    const more = at + 1 < pages.length && { nextCursor: `${at + 1}` };
    return { tools: pages[at] ?? [], ...more };
  });
  const nextTool = createNextTool(server);
  await nextTool("t0", { v: "x" });
  await expect(nextTool("t0", { v: 1 })).rejects.toMatchObject({ code: "invalid-arguments" });
  pages = [accepting("number")];
  await nextTool("t0", { v: 1 });
  pages = [accepting("number"), accepting("number", "number").slice(1)];
  await nextTool("t1", { v: 1 });
  pages = [accepting("number"), []];
  await expect(nextTool("t1", { v: 1 })).rejects.toMatchObject({ code: "unknown-tool" });
});

it("refuses anything but a server of the SDKs", () => {
  expect(() => registerMcpPipe({ close: async () => {} })).toThrow(/Unsupported MCP server/);
});
