// An MCP server over stdio: `prepare` asks for `pay`, which takes a while. Each payment is a line in a file.
//   node paying-server.ts FILE [answers|deaf|mute]
// A deaf server does nothing when it is told to pay, a mute one pays; neither of them answers.
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , file = "", mode = "answers"] = process.argv;
const server = new Server({ name: "paying", version: "1" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: ["prepare", "pay"].map((name) => ({
    name,
    inputSchema: { type: "object" as const },
    outputSchema: { type: "object" as const },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, _meta: meta } }) => {
  if (name === "prepare" || mode !== "deaf") {
    appendFileSync(file, `${name} ${meta?.["toolrail/idempotencyKey"]}\n`);
  }
  if (name === "pay" && mode !== "answers") {
    process.stderr.write("told to pay\n");
    await new Promise(() => {});
  }
  await setTimeout(name === "pay" ? 2_000 : 0);
  return {
    content: [{ type: "text" as const, text: `${name} done` }],
    structuredContent: { done: name },
    ...(name === "prepare" && { _meta: { nextTool: { tool: "pay" } } }),
  };
});
await server.connect(new StdioServerTransport());
