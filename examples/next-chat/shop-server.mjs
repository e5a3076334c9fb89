// A shop as an MCP server over HTTP, with sessions: one that was restarted knows none of before.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

const ORDER = { order: z.number().int() };
const text = (words, more) => ({ type: "text", text: words, ...more });

function createShop() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const found = { order: z.number(), total: z.number() };
  const find = { description: "Finds an order.", inputSchema: ORDER, outputSchema: found };
  server.registerTool("find_order", find, ({ order }) => {
    const structuredContent = { order, total: 49.5 };
    return { content: [text(JSON.stringify(structuredContent))], structuredContent };
  });
  const back = { description: "Takes an order back.", inputSchema: ORDER };
  server.registerTool("return_order", back, ({ order }) => {
    const label = text(`Your label is R-${order}.`, { annotations: { audience: ["user"] } });
    const nextTool = { tool: "refund", arguments: { order } };
    return { content: [label, text("The order comes back.")], _meta: { nextTool } };
  });
  const pay = {
    description: "Pays an order back.",
    inputSchema: ORDER,
    annotations: { destructiveHint: true },
  };
  server.registerTool("refund", pay, ({ order }) => {
    console.log(`refund ${order}`);
    return { content: [text(`Order ${order} was paid back.`)] };
  });
  server.registerTool("pick_size", { description: "Shows the sizes." }, () => {
    return { content: [], _meta: { "shop/widget": { sizes: ["M", "L"] } } };
  });
  return server;
}

const sessions = new Map();

async function answer(request, response) {
  const body = request.method === "POST" ? await json(request) : undefined;
  const id = request.headers["mcp-session-id"];
  let transport = sessions.get(id);
  if (id !== undefined && !transport) return response.writeHead(404).end();
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        console.log("session");
        sessions.set(session, transport);
      },
    });
    await createShop().connect(transport);
  }
  await transport.handleRequest(request, response, body);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.env.SHOP_PORT ?? 3333), "127.0.0.1", () => console.log("ready"));
