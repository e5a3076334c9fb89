// The shop as an MCP server over HTTP. It prints each call that it has carried out, and answers a while later.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

const SLOW_MS = 1_500;

function createShop() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  for (const name of ["reserve", "charge", "ship"]) {
    server.registerTool(name, { inputSchema: { order: z.number() } }, async ({ order }) => {
      console.log(`${name} ${order}`);
      await pause(SLOW_MS);
      return { content: [{ type: "text", text: `${name}: done` }] };
    });
  }
  return server;
}

async function respond(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await createShop().connect(transport);
  const body = request.method === "POST" ? await json(request) : undefined;
  await transport.handleRequest(request, response, body);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.env.SHOP_PORT), "127.0.0.1", () => console.log("ready"));
