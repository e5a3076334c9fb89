import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createHost, type Host, type HostOptions } from "@toolrail/core";
import { createNextTool, type NextTool } from "@toolrail/server";

export type Register = (server: McpServer, nextTool: NextTool) => void;

/** A host over one MCP server, named `office`, with the tools that `register` adds. */
export async function openStory(
  register: Register,
  options: Omit<HostOptions, "servers"> = {},
): Promise<Host> {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  register(server, createNextTool(server));
  const client = new Client({ name: "chain-stories", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return createHost({ ...options, servers: { office: client } });
}

/** Creates the result of a tool, as text and as a value. */
export function says(text: string, structuredContent?: Record<string, unknown>) {
  return {
    content: [{ type: "text" as const, text }],
    ...(structuredContent && { structuredContent }),
  };
}
