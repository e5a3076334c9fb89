// The bank's MCP server as a separate process, over Streamable HTTP on a free loopback port. It prints {"url": "..."} when it is
// ready, and ends when its stdin does, since its starter is gone then.
//   node main.ts [--buttons]
// --buttons is for an application with a page: the customer chooses with buttons how to talk to a person.
import { parseArgs } from "node:util";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { listen, RefusedRequest } from "../listen.ts";
import { createBankServer } from "./server.ts";
import { createBankStore } from "./store.ts";

const { values } = parseArgs({ options: { buttons: { type: "boolean" } } });
const options = { store: createBankStore(), hasButtons: values.buttons === true };

const http = await listen(async (request, response) => {
  if (request.url?.split("?")[0] !== "/mcp") throw new RefusedRequest(404, "Use /mcp.");
  // There are no sessions: each request has a separate server.
  const transport = new StreamableHTTPServerTransport();
  await createBankServer(options).connect(transport);
  response.once("close", () => void transport.close());
  await transport.handleRequest(request, response);
});
process.stdout.write(`${JSON.stringify({ url: `${http.url}mcp` })}\n`);
process.once("SIGTERM", stop).once("SIGINT", stop);
process.stdin.once("end", stop).once("close", stop).resume();

function stop(): void {
  process.exit(0);
}
