import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { createNextTool } from "../src/index.ts";
import { registerMcpPipe } from "../src/pipe.ts";

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
