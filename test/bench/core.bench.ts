import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import * as forAiSdk from "@toolrail/ai-sdk";
import { createHost, modelView } from "@toolrail/core";
import * as forLangGraph from "@toolrail/langgraph";
import { afterAll, test } from "vitest";
import { createTestServer, serveTools, type TestTool } from "../../packages/core/test/servers.ts";
import { type BudgetRow, reportBudgets } from "./budgets.ts";
import { compare, ratio, undisturbed } from "./compare.ts";

/** A client of the SDK over a transport that writes and reads JSON, as stdio and HTTP do. */
async function connect(tools: Record<string, TestTool>): Promise<Client> {
  const { transport } = await serveTools(tools, { record: false });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(JSON.parse(JSON.stringify(message)), options);
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => receive?.(JSON.parse(JSON.stringify(message)), extra);
  return client;
}

const rows: BudgetRow[] = [];

const SLOW = { timeout: 300_000 };

afterAll(() => reportBudgets(rows));

const ACCOUNT = {
  type: "object",
  properties: { id: { type: "string" }, balance: { type: "number" } },
  required: ["id", "balance"],
};

function accountTool(definition: object = {}): TestTool {
  const structuredContent = { id: "acc-1", balance: 12.5 };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  return {
    definition: { inputSchema: ACCOUNT, outputSchema: ACCOUNT, ...definition },
    answer: () => ({ content, structuredContent }),
  };
}

/** What the host asks of a client: progress keeps a call alive, up to a limit. */
const AS_THE_HOST = {
  timeout: 60_000,
  maxTotalTimeout: 300_000,
  resetTimeoutOnProgress: true,
  onprogress: () => {},
};

test("one call with a small result, all checks on", SLOW, async () => {
  const client = await connect({ a: accountTool() });
  await client.listTools();
  const host = await createHost({ servers: { bank: client } });
  const args = { id: "acc-1", balance: 1 };
  const inTheHost = { tool: "bank.a", arguments: args };
  const ofAiSdk = Object.values(forAiSdk.createTools(host))[0];
  const ofLangGraph = forLangGraph.createTools(host)[0];
  const ofModel = { type: "tool_call", id: "call-1", name: "bank_a", args } as const;
  const { callTool, callToolAsTheHost, call, run, aiSdk, langGraph } = await compare(
    {
      callTool: () => client.callTool({ name: "a", arguments: args }),
      callToolAsTheHost: () =>
        client.callTool({ name: "a", arguments: args }, undefined, AS_THE_HOST),
      call: () => host.call(inTheHost),
      run: async () => modelView(await host.run(inTheHost)),
      aiSdk: async () => {
        const outputs = ofAiSdk?.execute(args, { toolCallId: "call-1", messages: [] });
        for await (const _ of outputs ?? []);
      },
      langGraph: () => ofLangGraph?.invoke(ofModel),
    },
    { calls: 100, rounds: 200 },
  );
  const row = (what: string, ours: readonly number[], budget: number): BudgetRow => {
    return { what, measured: undisturbed(ours) - undisturbed(callTool), budget, unit: " µs" };
  };
  rows.push(
    row("options as the host's add to callTool", callToolAsTheHost, 1.5),
    row("host.call adds to callTool", call, 3.8),
    row("a chain of one call, and what the model reads, add", run, 6.3),
    row("a tool of the AI SDK adds", aiSdk, 8.2),
    row("a tool of LangGraph adds", langGraph, 14.5),
  );
});

test("one call with 100 KB of structured content", SLOW, async () => {
  const items = Array.from({ length: 1_000 }, (_, at) => ({
    id: `account-${at}`,
    balance: at * 1.5,
    note: "x".repeat(60),
  }));
  const properties = { items: { type: "array", items: ACCOUNT } };
  const structuredContent = { items };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  const client = await connect({
    a: {
      definition: { outputSchema: { type: "object", properties } },
      answer: () => ({ content, structuredContent }),
    },
  });
  await client.listTools();
  const host = await createHost({ servers: { bank: client } });
  const { callTool, run } = await compare(
    {
      callTool: () => client.callTool({ name: "a", arguments: {} }),
      run: async () => modelView(await host.run({ tool: "bank.a" })),
    },
    { calls: 5, rounds: 100 },
  );
  rows.push({
    what: "100 KB of structured content, and what the model reads",
    measured: ratio(run, callTool),
    budget: 2,
  });
  const shown = modelView(await host.run({ tool: "bank.a" })).content;
  const shownLength = shown.reduce((sum, block) => sum + (block.text?.length ?? 0), 0);
  rows.push({
    what: "characters a model reads of it",
    measured: shownLength / JSON.stringify(structuredContent).length,
    budget: 1.02,
  });
});

test("a list of 1,000 tools with output schemas", SLOW, async () => {
  const tools = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `tool_${at}`,
      accountTool({ description: `Tool number ${at} of the bank, for an account.` }),
    ]),
  );
  const { client } = await createTestServer(tools);
  const servers = { bank: { client, shared: true } };
  const list = async () => (await createHost({ servers })).close();
  // The SDK's list is too slow to be made as often as it takes to warm up.
  for (let at = 0; at < 30; at++) await list();
  const { listTools, made } = await compare(
    { listTools: () => client.listTools(), made: list },
    { calls: 1, rounds: 10 },
  );
  rows.push({
    what: "list and convert 1,000 tools over the SDK's listTools",
    measured: ratio(made, listTools),
    budget: 0.05,
  });
  const collect = garbageCollector();
  await collect();
  const before = process.memoryUsage().heapUsed;
  const host = await createHost({ servers });
  await collect();
  const kept = process.memoryUsage().heapUsed - before;
  rows.push({
    what: `memory kept for ${host.tools.length} tools`,
    measured: kept / 1_000_000,
    budget: 2,
    unit: " MB",
  });
});

/** Collects until nothing more goes: what was awaited is let go of one turn later. */
function garbageCollector(): () => Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  return async () => {
    let before = Number.POSITIVE_INFINITY;
    while (process.memoryUsage().heapUsed < before) {
      before = process.memoryUsage().heapUsed;
      await setImmediate();
      collect();
    }
  };
}
