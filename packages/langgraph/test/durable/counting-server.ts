// An MCP server over stdio whose tools chain a → b → c, and whose `say` answers with its argument after a while.
// It appends each call to a file: node counting-server.ts FILE
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , file = ""] = process.argv;
const next: Record<string, string> = { a: "b", b: "c" };
const server = new Server({ name: "counting", version: "1" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: ["a", "b", "c", "say"].map((name) => ({ name, inputSchema: { type: "object" as const } })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
  appendFileSync(file, `${args?.v ?? name}\n`);
  if (name === "say") await setTimeout(20);
  const tool = next[name];
  return {
    content: [{ type: "text" as const, text: `${args?.v ?? name} done` }],
    ...(tool !== undefined && { _meta: { nextTool: { tool } } }),
  };
});
await server.connect(new StdioServerTransport());
