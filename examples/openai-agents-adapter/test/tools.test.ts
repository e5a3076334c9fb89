import { RunContext, run } from "@openai/agents";
import { createHost, type Hop, type HostEvent } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { describe, expect, it } from "vitest";
import { asking, createTestServer, type TestTool } from "../../../packages/core/test/servers.ts";
import { createTools, type ToolCallResult } from "../src/index.ts";
import { readOutputs, runOnce, scriptAgent } from "./runs.ts";

const NUMBER = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const APP_ONLY = { _meta: { ui: { visibility: ["app"] } } };

async function openBank(tools: Record<string, TestTool>) {
  const server = await createTestServer(tools);
  return { ...server, host: await createHost({ servers: { bank: server.client } }) };
}

describe("createTools", () => {
  it("Each tool of the host is a function tool with a schema that providers accept.", async () => {
    const { host } = await openBank({
      "get-sum": { definition: { description: "Adds.", inputSchema: NUMBER } },
      plain: { definition: { title: "Plain" } },
      bare: {},
    });
    const { agent, model } = scriptAgent(host, [[{ tool: "bare" }]]);
    await run(agent, "go");
    expect(model.firstCall?.request.tools).toMatchObject([
      {
        type: "function",
        name: "get-sum",
        description: "Adds.",
        parameters: NUMBER,
        strict: false,
      },
      { name: "plain", description: "Plain", parameters: { type: "object", properties: {} } },
      { name: "bare", description: "bank.bare" },
    ]);
  });

  it("Long results are read in parts in their own conversation, and without one nothing is kept.", async () => {
    const long = { answer: () => ({ content: [{ type: "text", text: "line\n".repeat(10_000) }] }) };
    const { client } = await createTestServer({ page: long });
    const host = await createHost({ servers: { web: client }, use: [references()] });
    expect(String(await runOnce(host, { tool: "page" }, {})).length).toBeGreaterThan(40_000);
    const read = async (conversation: string, from: unknown) => {
      const reading = { tool: "references_read_result", arguments: { from, find: "line" } };
      return runOnce(host, reading, { conversation });
    };
    const shown = String(await runOnce(host, { tool: "page" }, { conversation: "c1" }));
    const address = /\bk[0-9a-z]{5,}\b/.exec(shown)?.[0];
    expect(shown.length).toBeLessThan(20_000);
    expect(await read("c1", address)).toContain("line\n");
    expect(await read("c2", address)).toMatch(/^Error:\n/);
  });

  it("A tool is called by the name that the model was shown, including dashes.", async () => {
    const { host, seen } = await openBank({ "get-sum": { definition: { inputSchema: NUMBER } } });
    expect(await runOnce(host, { tool: "get-sum", arguments: { n: 1 } })).toBe("get-sum done");
    expect(seen.map((call) => call.arguments)).toEqual([{ n: 1 }]);
  });

  it("A tool for the application alone is not offered.", async () => {
    const { host } = await openBank({ a: {}, widget: { definition: APP_ONLY } });
    expect(createTools(host).map(({ name }) => name)).toEqual(["a"]);
  });

  it("The option `tools` says which of the others are offered.", async () => {
    const { host } = await openBank({ a: {}, b: {}, widget: { definition: APP_ONLY } });
    const filter = ["bank.b", "bank.widget"];
    expect(createTools(host, { tools: filter }).map(({ name }) => name)).toEqual(["b"]);
    expect(createTools(host, { tools: [] })).toEqual([]);
  });

  it("A chain runs inside the call, and the model reads all its results at once.", async () => {
    const { host, calls } = await openBank({
      a: { answer: () => asking("b") },
      b: { answer: () => asking("c", {}, "still more") },
      c: {},
    });
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
    expect((await run(agent, "go")).finalOutput).toBe("done");
    expect(calls).toEqual(["a", "b", "c"]);
    expect(readOutputs(model)).toEqual([
      "a:\nmore to come\nThen b was called:\nstill more\nThen c was called:\nc done",
    ]);
    expect(model.calls).toHaveLength(2);
  });

  it("The reason why a chain stopped early follows its results.", async () => {
    const { host } = await openBank({ a: { answer: () => asking("gone") } });
    expect(await runOnce(host, { tool: "a" })).toMatch(
      /^Error:\nmore to come\nThe chain of tool calls ended early \(unknown-tool\)/,
    );
  });

  it("No `_meta` and no user-only content reaches the model.", async () => {
    const secret = { trace: "hush" };
    const { host } = await openBank({
      a: {
        answer: () => ({
          content: [
            { type: "text", text: "shown", _meta: secret },
            { type: "text", text: "hush", annotations: { audience: ["user"] } },
          ],
          _meta: secret,
        }),
      },
    });
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
    await run(agent, "go");
    expect(readOutputs(model)).toEqual(["shown"]);
    expect(JSON.stringify(model.calls)).not.toContain("hush");
  });

  it("Two calls of one turn run side by side and get their own results.", async () => {
    let arrived = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { host } = await openBank({
      a: {
        answer: async ({ arguments: { n } }) => {
          arrived += 1;
          if (arrived === 2) release();
          await both;
          return { content: [{ type: "text", text: `number ${n}` }] };
        },
      },
    });
    const calls = [1, 2].map((n) => ({ tool: "a", arguments: { n } }));
    const { agent, model } = scriptAgent(host, [calls]);
    await run(agent, "go");
    expect(readOutputs(model)).toEqual(["number 1", "number 2"]);
  });

  it("A tool that is invoked without a run passes the same checks.", async () => {
    const { host, calls } = await openBank({ a: { definition: { inputSchema: NUMBER } } });
    const [tool] = createTools(host);
    expect(await tool?.invoke(new RunContext(), '{"n":1}')).toBe("a done");
    expect(await tool?.invoke(new RunContext(), "{}")).toContain("were not sent");
    expect(calls).toEqual(["a"]);
  });

  it("A streamed run makes the same calls.", async () => {
    const { host, calls } = await openBank({ a: { answer: () => asking("b") }, b: {} });
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
    const streamed = await run(agent, "go", { stream: true });
    await streamed.completed;
    expect(calls).toEqual(["a", "b"]);
    expect(readOutputs(model)).toEqual(["a:\nmore to come\nThen b was called:\nb done"]);
  });
});

describe("a call that fails", () => {
  it("Invalid arguments are not sent, and the model reads what is wrong with them.", async () => {
    const { host, calls } = await openBank({ a: { definition: { inputSchema: NUMBER } } });
    const read = await runOnce(host, { tool: "a", arguments: { n: "one" } });
    expect(read).toMatch(/^Error:\n.*were not sent.*\/n/);
    expect(calls).toEqual([]);
  });

  it("An error of the server is text for the model, and the run continues.", async () => {
    const { host } = await openBank({ a: { answer: () => Promise.reject(new Error("no power")) } });
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
    expect((await run(agent, "go")).finalOutput).toBe("done");
    expect(readOutputs(model)).toEqual([expect.stringMatching(/^Error:\n.*no power/)]);
  });

  it("A result with `isError` says so and keeps its details.", async () => {
    const { host } = await openBank({
      a: {
        answer: () => ({
          content: [{ type: "text", text: "too little money" }],
          structuredContent: { missing: 12 },
          isError: true,
        }),
      },
    });
    expect(await runOnce(host, { tool: "a" })).toBe('Error:\ntoo little money\n{"missing":12}');
  });

  it("A call on a closed host is text for the model.", async () => {
    const { host } = await openBank({ a: {} });
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
    await host.close();
    expect((await run(agent, "go")).finalOutput).toBe("done");
    expect(readOutputs(model)).toEqual([expect.stringMatching(/^Error:\n.*closed/)]);
  });

  it("An abort in the middle of a chain reaches the server and ends the run.", async () => {
    const aborter = new AbortController();
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const results: ToolCallResult[] = [];
    const { host, calls } = await openBank({
      a: { answer: () => asking("b") },
      b: {
        answer: ({ signal }) => {
          signal.addEventListener("abort", cancel);
          aborter.abort(new Error("enough"));
          return cancelled.then(() => asking("c"));
        },
      },
      c: {},
    });
    const onResult = (result: ToolCallResult) => void results.push(result);
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]], { onResult });
    await expect(run(agent, "go", { signal: aborter.signal })).rejects.toThrow("enough");
    await cancelled;
    expect(calls).toEqual(["a", "b"]);
    expect(results[0]?.chain).toMatchObject({ ended: "aborted", hops: [{ tool: "a" }] });
    expect(model.calls).toHaveLength(1);
  });
});

describe("listeners", () => {
  it("Content for the user counts as shown if somebody listens; otherwise one event warns.", async () => {
    const events: HostEvent[] = [];
    const { client } = await createTestServer({
      a: { answer: () => ({ content: [], _meta: { "shop/widget": "picker" } }) },
    });
    const onEvent = (event: HostEvent) => void events.push(event);
    const host = await createHost({ servers: { bank: client }, onEvent });
    const call = { tool: "a" };
    const shown = await runOnce(host, call, { onHop: () => {} });
    expect(shown).toBe("The result was shown to the user.");
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    for (const read of [await runOnce(host, call), await runOnce(host, call)]) {
      expect(read).toBe("The result is for the user alone.");
    }
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { code: "nobody-listens" },
    ]);
  });

  it("`onHop` receives each finished call once and in order, and `onResult` the whole chain.", async () => {
    const { host } = await openBank({ a: { answer: () => asking("b") }, b: {} });
    const told: string[] = [];
    await runOnce(
      host,
      { tool: "a" },
      {
        onHop: ({ toolCallId, hop }) => void told.push(`${toolCallId} ${hop.tool}`),
        onResult: ({ toolCallId, tool, chain }) =>
          void told.push(`${toolCallId} ${tool.id} ${chain.ended} ${chain.hops.length}`),
      },
    );
    expect(told).toEqual(["call-1 a", "call-1 b", "call-1 bank.a complete 2"]);
  });

  it("A refused call is reported to `onResult` with its reason, and not to `onHop`.", async () => {
    const { host } = await openBank({ a: { definition: { inputSchema: NUMBER } } });
    const hops: Hop[] = [];
    const ended: string[] = [];
    await runOnce(
      host,
      { tool: "a" },
      {
        onHop: ({ hop }) => void hops.push(hop),
        onResult: ({ chain }) => void ended.push(chain.ended),
      },
    );
    expect(hops).toEqual([]);
    expect(ended).toEqual(["invalid-arguments"]);
  });

  it("An exception in a listener does not make the call look as if it had failed.", async () => {
    const { host } = await openBank({ a: {} });
    const fail = () => Promise.reject(new Error("the page is gone"));
    expect(await runOnce(host, { tool: "a" }, { onHop: fail, onResult: fail })).toBe("a done");
  });
});

it("The context of the run reaches every hook of the host, and no model.", async () => {
  const server = await createTestServer({ a: { answer: () => asking("b") }, b: {} });
  const seen: unknown[] = [];
  const host = await createHost({
    servers: { bank: server.client },
    authorize: ({ context }) => {
      seen.push(context);
      return "allow";
    },
  });
  const { agent, model } = scriptAgent(host, [[{ tool: "a" }]]);
  const context = { user: "u1" };
  await run(agent, "go", { context });
  expect(seen).toEqual(seen.map(() => context));
  expect(JSON.stringify(model.lastCall?.request)).not.toContain("u1");
});
