// A shop as an MCP server over HTTP, as a separate process. It prints what it does, as a log. A call with a key that it has
// received before changes nothing, and gets the same answer again.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

const inputSchema = { order: z.number().int(), mail: z.email().optional() };
const SLOW_MS = Number(process.env.SHOP_SLOW_MS ?? 5_000);
const FOR_USER = { audience: ["user"] };
const had = new Set();

/** Returns true if this call is new. Its key is that of the client's step. */
function isNew(work, key) {
  const isFirst = !had.has(key);
  console.log(isFirst ? work : `${work}: had it already`);
  had.add(key);
  return isFirst;
}

const answer = (words, nextTool) => ({
  content: [{ type: "text", text: words }],
  ...(nextTool && { _meta: { nextTool } }),
});

function createShop() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const offer = (name, description, work) => {
    server.registerTool(name, { description, inputSchema }, async ({ order }, { _meta }) => {
      const isFirst = isNew(`${name} ${order}`, _meta?.["toolrail/idempotencyKey"]);
      return work(order, isFirst);
    });
  };
  offer("return_order", "Takes an order back.", (order) =>
    answer("The order comes back.", { tool: "book_pickup", arguments: { order } }),
  );
  offer("book_pickup", "Books a van. The answer takes a while.", async (order, isFirst) => {
    if (isFirst) await pause(SLOW_MS);
    return answer("The van comes tomorrow.", { tool: "refund", arguments: { order } });
  });
  offer("refund", "Pays an order back.", (order) => {
    const receipt = { type: "text", text: `Receipt 4711-${order}`, annotations: FOR_USER };
    const { content } = answer(`Order ${order} was paid back.`);
    return { content: [...content, receipt] };
  });
  return server;
}

async function respond(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await createShop().connect(transport);
  const body = request.method === "POST" ? await json(request) : undefined;
  if (body?.method === "tools/list") console.log("tools/list");
  await transport.handleRequest(request, response, body);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.env.SHOP_PORT ?? 3333), "127.0.0.1", () => console.log("ready"));
