// A worker of a LangGraph application: a process with a host, a graph and a Postgres of its own reach.
//   node worker.ts GRAPH OPTIONS
// Each line on its input is a command, "start", "resume" or "reject"; each is answered with a line of JSON.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost, ToolrailError } from "@toolrail/core";
import { createPostgresStore } from "@toolrail/core/postgres";
import { createAgent } from "langchain";
import { Pool } from "pg";
import { singleStepMiddleware } from "../../src/guard/index.ts";
import { createTools } from "../../src/index.ts";
import { compilePipe } from "../../src/pipe/index.ts";
import { builds, type ChainParts } from "../builds.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";
import type { WorkerOptions } from "./start-worker.ts";

const [, , form = "", options = ""] = process.argv;
const { connectionString, max, payments, mode, aheadMs, claims, callTimeoutMs } = JSON.parse(
  options,
) as WorkerOptions & { connectionString: string; max: number; payments: string };

const pool = new Pool({ connectionString, max });
const checkpointer = new PostgresSaver(pool);
const store = createPostgresStore(pool);
const { claim: _, ...unclaiming } = store;

const script = fileURLToPath(new URL("../../../core/test/paying-server.ts", import.meta.url));
const client = new Client({ name: "worker", version: "1" });
const args = [script, payments, mode];
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
const now = performance.now.bind(performance);
performance.now = () => now() + aheadMs;
const host = await createHost({
  servers: { bank: client },
  secret: "the same in each process of the test",
  store: claims ? store : unclaiming,
  authorize: ({ tool }) => (tool.name === "pay" && form !== "guard" ? "ask" : "allow"),
  limits: { callTimeoutMs },
});

/** The graphs of the test. In each, `pay` waits for a person. */
const forms = {
  ...builds,
  guard: ({ model, tools }: ChainParts) => {
    const guard = singleStepMiddleware(host, { allow: { "bank.pay": "ask" } });
    return createAgent({ model, tools, checkpointer, middleware: [guard] });
  },
  pipe: () => {
    const inner = { steps: [{ id: "g", parallel: [{ id: "x", tool: "pay" }] }] };
    return compilePipe(host, { spec: { steps: [{ id: "n", pipe: inner }] }, checkpointer });
  },
};

/** The part of each graph's output that the tests look at. */
interface Output {
  readonly __interrupt__?: readonly { readonly value: unknown }[];
  readonly messages?: readonly BaseMessage[];
  readonly ok?: boolean;
  readonly error?: string;
}

async function run(command: string) {
  const first = form === "guard" ? "pay" : "prepare";
  const model = new ScriptedModel(...(command === "start" ? [[calling(first)]] : []), "done");
  const build = forms[form as keyof typeof forms];
  const graph = build({ host, model, tools: createTools(host), checkpointer });
  const input = form === "pipe" ? {} : { messages: [{ role: "user", content: "go" }] };
  const decisions = [{ type: command === "resume" ? "approve" : "reject" }];
  const given = command === "start" ? input : new Command({ resume: { decisions } });
  const config = { configurable: { thread_id: "1" }, durability: "sync" } as const;
  const output = (await graph.invoke(given as never, config)) as Output;
  const message = output.messages?.findLast((one) => ToolMessage.isInstance(one));
  return {
    asks: output.__interrupt__?.map(({ value }) => JSON.stringify(value)),
    said: message ? `${message.status} ${message.text}` : `${output.ok} ${output.error}`,
  };
}

process.stdout.write("ready\n");
for await (const command of createInterface(process.stdin)) {
  const answer = await run(command).catch((error: unknown) => ({
    error: ToolrailError.isInstance(error) ? error.code : String(error),
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
