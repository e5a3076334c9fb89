// The bank's MCP server as a separate process, over Streamable HTTP on a free loopback port. It prints {"url": "..."} when it is
// ready, and ends when its stdin does, since its starter is gone then.
//   node main.ts [--page]
// --page greets the customer and offers buttons, for an application with a page.
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { listen, RefusedRequest } from "../listen.ts";
import { createBankServer } from "./server.ts";
import { createBankStore } from "./store.ts";

const { values } = parseArgs({ options: { page: { type: "boolean" } } });
const options = { store: createBankStore(), hasPage: values.page === true };
const sessions = new Map<string, StreamableHTTPServerTransport>();

const http = await listen(async (request, response) => {
  if (request.url?.split("?")[0] !== "/mcp") throw new RefusedRequest(404, "Use /mcp.");
  const id = request.headers["mcp-session-id"];
  const known = sessions.get(String(id));
  if (id !== undefined && !known) throw new RefusedRequest(404, "Session not found.");
  const transport = known ?? (await openSession());
  await transport.handleRequest(request, response);
  // Not an initialize request: the transport has refused it, and there is no session to keep.
  if (transport.sessionId === undefined) await transport.close();
});
process.stdout.write(`${JSON.stringify({ url: `${http.url}mcp` })}\n`);
process.once("SIGTERM", stop).once("SIGINT", stop);
process.stdin.once("end", stop).once("close", stop).resume();

/** Each session has a separate server. */
async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId ?? "");
  await createBankServer(options).connect(transport);
  return transport;
}

function stop(): void {
  process.exit(0);
}
