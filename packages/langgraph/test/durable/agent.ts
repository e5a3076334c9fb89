// An agent whose third hop needs approval, on a Postgres in a folder.
//   node agent.ts start|resume GRAPH FOLDER COUNTS     prints one JSON line, then waits to be ended
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost } from "@toolrail/core";
import { Pool } from "pg";
import { artifactOf, createTools } from "../../src/index.ts";
import { builds } from "../builds.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";

const [, , step, graphName, folder = "", counts = ""] = process.argv;

const db = await PGlite.create(folder);
const socket = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1" });
await socket.start();
const connectionString = `postgres://postgres:postgres@${socket.getServerConn()}/postgres`;
// PGlite is one session: statements of several connections would meet in it.
const checkpointer = new PostgresSaver(new Pool({ connectionString, max: 1 }));
await checkpointer.setup();

const server = fileURLToPath(new URL("./counting-server.ts", import.meta.url));
const client = new Client({ name: "agent", version: "1" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server, counts] }),
);
const host = await createHost({
  servers: { counting: client },
  secret: "the same in each process of the test",
  authorize: ({ tool }) => (tool.name === "c" ? "ask" : "allow"),
});
const model = new ScriptedModel(...(step === "start" ? [[calling("a")]] : []), "done");
const build = builds[graphName as keyof typeof builds];
const graph = build({ host, model, tools: createTools(host), checkpointer });
const input =
  step === "start"
    ? { messages: [{ role: "user", content: "go" }] }
    : new Command({ resume: { decisions: [{ type: "approve" }] } });
const output = await graph.invoke(input as never, { configurable: { thread_id: "1" } });
const messages: BaseMessage[] = output.messages;
const hops = messages.flatMap((message) =>
  ToolMessage.isInstance(message) ? (artifactOf(message)?.hops ?? []) : [],
);
process.stdout.write(
  `${JSON.stringify({
    paused: "__interrupt__" in output,
    modelCalls: model.read.length,
    hops: hops.map(({ tool, origin }) => [tool, origin.by, "depth" in origin ? origin.depth : 0]),
    last: messages.at(-1)?.text,
  })}\n`,
);
for await (const _ of createInterface(process.stdin)) break;
await host.close();
await checkpointer.end();
await socket.stop();
await db.close();
