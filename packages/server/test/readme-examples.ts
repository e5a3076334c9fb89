import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Host } from "@toolrail/core";
import * as z from "zod";
import { singleStep } from "../src/guard/index.ts";
import { createNextTool, serveHost } from "../src/index.ts";
import { pipeTool, registerMcpPipe } from "../src/pipe/index.ts";

export function lockedAccount(server: McpServer): void {
  const nextTool = createNextTool(server);
  server.registerTool(
    "check_account",
    { inputSchema: { account: z.string() } },
    async ({ account }) => ({
      content: [{ type: "text", text: `${account} is locked.` }],
      _meta: await nextTool("request_agent_handoff", { reason: `${account} is locked` }),
    }),
  );
}

export function aPipe(server: McpServer): void {
  registerMcpPipe(server, { tools: ["web_*", "extract_key_info"] });
}

export function aHost(host: Host): McpServer {
  const server = new McpServer({ name: "everything", version: "1.0.0" });
  serveHost(server, host);
  return server;
}

export function aHostWithPipes(server: McpServer, host: Host): void {
  serveHost(server, host, { pipe: pipeTool() });
}

export function aHostUnderGuard(server: McpServer, host: Host): void {
  serveHost(server, host, {
    guard: singleStep({ allow: { "docs.search": "allow", "docs.delete": "ask" } }),
  });
}
