// An MCP server over HTTP in a process of its own. `order` asks for `pay`, 5 % of the payments are errors, and 2 % of all calls
// lose their connection, half of them before the call is made. Under /steady no connection is lost, and under /slow each call
// takes 0.2 to 2 seconds as well. Prints its address, and notes what it has done.
//   node shop-server.ts
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** What the server has done with one call, as `order 7`. */
export interface CallNote {
  /** How often the call was made. */
  made: number;
  /** True if its connection was lost before its answer was out. */
  isCut: boolean;
}

const notes = new Map<string, CallNote>();
let count = 0;

const noteOf = (call: string) => {
  const note = notes.get(call) ?? { made: 0, isCut: false };
  notes.set(call, note);
  return note;
};

async function open(): Promise<StreamableHTTPServerTransport> {
  const server = new Server({ name: "shop", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ["order", "pay"].map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const { id } = params.arguments ?? {};
    noteOf(`${params.name} ${id}`).made++;
    const content = [{ type: "text" as const, text: `${params.name} ${id}` }];
    if (params.name === "pay") return { content, isError: Number(id) % 20 === 0 };
    return { content, _meta: { nextTool: { tool: "pay", arguments: { id } } } };
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport as never);
  return transport;
}

const http = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  if (request.url === "/notes") {
    response.end(JSON.stringify([...notes]));
    return;
  }
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || "null");
  if (body?.method !== "tools/call") {
    await (await open()).handleRequest(request, response, body);
    return;
  }
  const { name, arguments: args } = body.params;
  const note = noteOf(`${name} ${args.id}`);
  response.once("close", () => {
    if (!response.writableFinished) note.isCut = true;
  });
  if (request.url === "/slow") await setTimeout(200 + ((args.id * 37) % 1_800));
  const turn = request.url === "/mcp" ? ++count % 100 : -1;
  if (turn === 0) request.socket.destroy();
  else {
    // The call is made, and its answer is lost.
    if (turn === 50) response.writeHead = () => response.destroy() as never;
    await (await open()).handleRequest(request, response, body);
  }
});
http.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
