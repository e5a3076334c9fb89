// The bank's MCP server as a process of its own.
//   node bank-server.ts [--port N] [--store FILE]     Streamable HTTP; prints {"url": "..."} when ready
//                       [--tied]                      ends when its stdin does, as its starter is gone
//   node bank-server.ts --stdio [--store FILE]        stdio
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createBankStore } from "./bank-store.ts";
import { createBankServer } from "./bank-tools.ts";
import { serveHttp } from "./server/serve-http.ts";

const { values } = parseArgs({
  options: {
    stdio: { type: "boolean", default: false },
    tied: { type: "boolean", default: false },
    port: { type: "string", default: "0" },
    store: { type: "string", default: ":memory:" },
  },
});

const store = createBankStore({ path: values.store, newId: randomUUID });
const close = values.stdio ? await startStdio() : await startHttp(Number(values.port));
process.once("SIGTERM", stop).once("SIGINT", stop);
// Who holds the other end of the pipe has gone when it has: the client, or whoever started the server.
if (values.stdio || values.tied) process.stdin.once("end", stop).once("close", stop).resume();

async function startStdio(): Promise<() => Promise<void>> {
  const server = createBankServer(store);
  await server.connect(new StdioServerTransport());
  return () => server.close();
}

async function startHttp(port: number): Promise<() => Promise<void>> {
  const serving = await serveHttp(() => createBankServer(store), port);
  process.stdout.write(`${JSON.stringify({ url: serving.url })}\n`);
  return serving.close;
}

function stop(): void {
  void close().finally(() => {
    store.close();
    process.exit(0);
  });
}
