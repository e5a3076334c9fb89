import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { createHost, modelView } from "@toolrail/core";
import { afterAll, test } from "vitest";
import { createTestServer, serveTools, type TestTool } from "../../packages/core/test/servers.ts";
import { type BudgetRow, budgetTable, ratio } from "./budgets.ts";

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

const TIMES = { time: 1_500, warmupTime: 300 };
const rows: BudgetRow[] = [];

const SLOW = 300_000;

afterAll(() => console.log(budgetTable(rows)));

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

test("one call with a small result, all checks on", async ({ bench }) => {
  const client = await connect({ a: accountTool() });
  await client.listTools();
  const host = await createHost({ servers: { bank: client } });
  const args = { id: "acc-1", balance: 1 };
  const results = await bench.compare(
    bench("SDK callTool", async () => {
      await client.callTool({ name: "a", arguments: args });
    }),
    bench("host.call", async () => {
      await host.call({ tool: "bank.a", arguments: args });
    }),
    bench("host.run and modelView", async () => {
      modelView(await host.run({ tool: "bank.a", arguments: args }));
    }),
    TIMES,
  );
  const raw = results.get("SDK callTool");
  rows.push(
    {
      what: "one call over the SDK's callTool",
      measured: ratio(results.get("host.call"), raw),
      budget: 1.15,
    },
    {
      what: "a chain of one call, and what the model reads",
      measured: ratio(results.get("host.run and modelView"), raw),
      budget: 1.6,
    },
  );
});

test("one call with 100 KB of structured content", async ({ bench }) => {
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
  const results = await bench.compare(
    bench("SDK callTool", async () => {
      await client.callTool({ name: "a", arguments: {} });
    }),
    bench("host.run and modelView", async () => {
      modelView(await host.run({ tool: "bank.a" }));
    }),
    TIMES,
  );
  const raw = results.get("SDK callTool");
  rows.push({
    what: "100 KB of structured content, and what the model reads",
    measured: ratio(results.get("host.run and modelView"), raw),
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

test("a list of 1,000 tools with output schemas", { timeout: SLOW }, async ({ bench }) => {
  const tools = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `tool_${at}`,
      accountTool({ description: `Tool number ${at} of the bank, for an account.` }),
    ]),
  );
  const { client } = await createTestServer(tools);
  const servers = { bank: { client, shared: true } };
  const results = await bench.compare(
    bench("SDK listTools", async () => {
      await client.listTools();
    }),
    bench("createHost", async () => {
      const host = await createHost({ servers });
      await host.close();
    }),
    { time: 500, iterations: 8, warmup: false },
  );
  rows.push({
    what: "list and convert 1,000 tools over the SDK's listTools",
    measured: ratio(results.get("createHost"), results.get("SDK listTools")),
    budget: 0.02,
  });
  const collect = garbageCollector();
  collect();
  const before = process.memoryUsage().heapUsed;
  const host = await createHost({ servers });
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  rows.push({
    what: `memory kept for ${host.tools.length} tools`,
    measured: kept / 1_000_000,
    budget: 2,
    unit: " MB",
  });
});

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
