// A process of an AI SDK application: node worker.ts MAJOR FORM DATABASE PAYMENTS
// Each line on its input is a history as JSON; it goes on with it and answers with the messages that the run added.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost } from "@toolrail/core";
import { createPostgresStore } from "@toolrail/core/postgres";
import type { ModelMessage } from "ai";
import { Pool } from "pg";
import { createTools, withChaining } from "../../src/index.ts";
import { majorNamed, scriptModel } from "../majors.ts";
import { generate } from "../runs.ts";

const [, , name, form, connectionString = "", payments = ""] = process.argv;

const script = fileURLToPath(new URL("../../../core/test/paying-server.ts", import.meta.url));
const client = new Client({ name: "worker", version: "1" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [script, payments] }),
);
const host = await createHost({
  servers: { bank: client },
  store: createPostgresStore(new Pool({ connectionString, max: 1 })),
  authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
});
const major = majorNamed(name === "ai 6" ? "ai 6" : "ai 7");
const tool = form === "a hop of withChaining" ? "prepare" : "pay";
const conversation = "conversation-1";

process.stdout.write("ready\n");
for await (const line of createInterface(process.stdin)) {
  const messages = JSON.parse(line) as ModelMessage[];
  const turn = messages.length === 1 ? [{ tool }] : ["final"];
  const { model } = scriptModel(major, turn);
  const own =
    form === "a call of createTools"
      ? { model, tools: createTools(host, { conversation }) }
      : withChaining(host, { model, chaining: { conversation } });
  const { messages: added } = await generate(major, { ...own, messages } as never);
  process.stdout.write(`${JSON.stringify(added)}\n`);
}
