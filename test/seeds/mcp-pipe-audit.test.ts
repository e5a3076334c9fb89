import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createPipeTool } from "@toolrail/ai-sdk/pipe";
import type { HostEvent, HostOptions, ToolCall } from "@toolrail/core";
import { runPipe } from "@toolrail/core/pipe";
import { createPipeTool as createPipeTools } from "@toolrail/langgraph/pipe";
import { registerMcpPipe } from "@toolrail/server/pipe";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { frameworks } from "./frameworks.ts";
import { open, structured, text } from "./servers.ts";
import { createWeb } from "./web.ts";

const SPEC = {
  steps: [
    { id: "a", tool: "echo", args: { v: 1 } },
    { id: "bad", tool: "fail" },
  ],
};
const CALL = { tool: "mcp_pipe", arguments: SPEC };

/** A host of the web that keeps its events. */
async function openRecorded(options: Partial<HostOptions> = {}) {
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => void events.push(event);
  return { events, ...(await open(createWeb(), { onEvent, ...options })) };
}

function recorded(events: readonly HostEvent[]) {
  return events.filter((event) => event.type === "call" && event.stage === "record");
}

/** A real server whose tool `whoami` answers with the caller's token, and a client that sends one. */
async function openOwn(token: string, options: Parameters<typeof registerMcpPipe>[1] = {}) {
  const server = new McpServer({ name: "own", version: "1" });
  const seen: unknown[] = [];
  server.registerTool("whoami", { inputSchema: { v: z.number().optional() } }, (args, extra) => {
    seen.push(extra.authInfo?.token);
    return text(`${args.v}`) as { content: [{ type: "text"; text: string }] };
  });
  registerMcpPipe(server, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  const authInfo = { token, clientId: "c", scopes: [] };
  near.send = (message, more) => send(message, { ...more, authInfo });
  const client = new Client({ name: "client", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return { client, seen };
}

describe.each(frameworks)("billing and auditing in $name", ({ ask }) => {
  it("Existing auditing applies per step, also to those of a pipe that fails (there is no rollback)", async () => {
    const { events, host } = await openRecorded();
    await ask(host, { turns: [[CALL], "done"], pipe: true });
    const origin = { by: "pipe", author: "model" };
    expect(recorded(events)).toMatchObject([
      { tool: "bank.echo", isError: false, origin: { ...origin, path: "steps.a" } },
      { tool: "bank.fail", isError: true, origin: { ...origin, path: "steps.bad" } },
    ]);
  });

  it("`mcp_pipe` is also audited as a tool call with `baseCost=0`", async () => {
    const { events, host } = await openRecorded();
    await ask(host, { turns: [[CALL], "done"], pipe: true });
    const pipes = events.filter(({ type }) => type === "pipe");
    const own = { tool: "mcp_pipe", baseCost: 0, toolCallId: "call-1", author: "model" };
    expect(pipes).toMatchObject([
      { ...own, stage: "started", steps: 2 },
      { ...own, stage: "ended", steps: 2, calls: 2, ok: false },
    ]);
    const runs = recorded(events).map((event) => "runId" in event && event.runId);
    expect(pipes[0]).toMatchObject({ runId: runs[0] });
    expect(new Set(runs).size).toBe(1);
  });

  it("Preserve existing tool behavior (auth): each step is authorized by itself", async () => {
    const asked: unknown[] = [];
    const { server, host } = await openRecorded({
      authorize({ tool, arguments: args, origin }: ToolCall) {
        asked.push([tool.name, args, origin.by]);
        return tool.name === "fail" ? { deny: "not this one" } : "allow";
      },
    });
    const run = await ask(host, { turns: [[CALL], "done"], pipe: true });
    expect(asked).toContainEqual(["echo", { v: 1 }, "pipe"]);
    expect(asked).toContainEqual(["fail", {}, "pipe"]);
    expect(server.calls).toEqual(["echo"]);
    expect(run.pipes).toMatchObject([
      { ok: false, steps: { a: { ok: true }, bad: { ok: false } } },
    ]);
  });

  it("Departure: the model reads no steps, so that what they pass on costs no tokens", async () => {
    const page = "long ".repeat(1_000);
    const { host } = await open({
      ...createWeb(),
      web_fetch: { answer: () => structured({ content: page }) },
    });
    const steps = [
      { id: "f", tool: "web_fetch", args: { url: "https://a" } },
      { id: "e", tool: "echo", args: { first: { $ref: "steps.f.structured.content" } } },
    ];
    const call = { tool: "mcp_pipe", arguments: { steps, return: "${steps.f.ok}" } };
    const run = await ask(host, { turns: [[call], "done"], pipe: true });
    expect(run.read).toHaveLength(2);
    expect(run.read[1]).toContain("true");
    expect(run.read.join()).not.toContain("long long");
  });

  it("Arguments of a step are checked against the schema of its tool before it is called", async () => {
    const { server, host } = await openRecorded();
    const steps = [{ id: "s", tool: "web_search", args: { query: 5 } }];
    const call = { tool: "mcp_pipe", arguments: { steps } };
    const run = await ask(host, { turns: [[call], "done"], pipe: true });
    expect(server.calls).toEqual([]);
    expect(run.pipes).toMatchObject([{ ok: false }]);
  });
});

describe("mcp_pipe on a server", () => {
  it("Each sub-tool is executed through the existing handlers, using the caller's Authorization context", async () => {
    const { client, seen } = await openOwn("token of the caller");
    const steps = [1, 2].map((v) => ({ id: `s${v}`, tool: "whoami", args: { v } }));
    const result = await client.callTool({ name: "mcp_pipe", arguments: { steps } });
    expect(result.structuredContent).toMatchObject({ ok: true, result: "2" });
    expect(seen).toEqual(["token of the caller", "token of the caller"]);
  });

  it("`mcp_pipe` is audited on the server, each step by itself and the call with `baseCost=0`", async () => {
    const events: HostEvent[] = [];
    const { client } = await openOwn("t", { onEvent: (event) => void events.push(event) });
    const steps = [{ id: "s", tool: "whoami" }];
    await client.callTool({ name: "mcp_pipe", arguments: { steps } });
    expect(recorded(events)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      ...{ type: "pipe", stage: "ended", tool: "mcp_pipe", baseCost: 0, calls: 1, ok: true },
    });
  });

  it("isError and the error say that the pipe failed", async () => {
    const { server, client } = await createTestServer(createWeb());
    registerMcpPipe(server);
    const result = await client.callTool({ name: "mcp_pipe", arguments: SPEC });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { ok: false, error: expect.stringContaining("no luck") },
    });
  });

  it("Enable/disable `mcp_pipe` (default: true): it is listed beside the server's tools", async () => {
    const listed: string[][] = [];
    for (const options of [{}, { enabled: true }, { enabled: false }]) {
      const { client } = await openOwn("t", options);
      listed.push((await client.listTools()).tools.map(({ name }) => name));
    }
    const both = ["whoami", "mcp_pipe"];
    expect(listed).toEqual([both, both, ["whoami"]]);
  });

  it("A client without `mcp_pipe` calls the server's tools as before", async () => {
    const { client, seen } = await openOwn("t");
    const result = await client.callTool({ name: "whoami", arguments: { v: 3 } });
    expect(result).toMatchObject(text("3"));
    expect(seen).toEqual(["t"]);
  });
});

describe("mcp_pipe of a host", () => {
  it("Enable/disable `mcp_pipe` (default: true)", async () => {
    const { host } = await openRecorded();
    const names = (enabled?: boolean) => [
      ...Object.keys(createPipeTool(host, enabled === undefined ? {} : { enabled })),
      ...createPipeTools(host, enabled === undefined ? {} : { enabled }).map(({ name }) => name),
    ];
    expect(names()).toEqual(["mcp_pipe", "mcp_pipe"]);
    expect(names(true)).toEqual(["mcp_pipe", "mcp_pipe"]);
    expect(names(false)).toEqual([]);
  });

  it("The contract is easy to generate programmatically: an application runs the same spec", async () => {
    const { server, host, events } = await openRecorded();
    const result = await runPipe(host, { spec: { ...SPEC, continue_on_error: true } });
    expect(result).toMatchObject({
      ok: false,
      steps: { a: { ok: true, structured: { v: 1 } }, bad: { ok: false } },
    });
    expect(server.calls).toEqual(["echo", "fail"]);
    expect(events.at(-1)).toMatchObject({ type: "pipe", stage: "ended", baseCost: 0 });
  });

  it.each([
    ["maxSteps", 1],
    ["maxDepth", 1],
  ])("The limits are defaults: %s is an option", async (name, most) => {
    const { server, host } = await openRecorded();
    const two = { id: "n", pipe: { steps: [{ id: "m", pipe: SPEC }] } };
    const spec = { steps: [two] };
    expect(await runPipe(host, { spec, limits: { [name]: most } })).toMatchObject({ ok: false });
    expect(server.calls).toEqual([]);
  });
});
