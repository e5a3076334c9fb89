import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

/** A client of an MCP server in this process, whose tools `register` adds. */
export async function openServer(register: (server: McpServer) => void): Promise<Client> {
  const server = new McpServer({ name: "suite", version: "1.0.0" });
  register(server);
  const client = new Client({ name: "toolrail-evidence", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

/** A value as a tool answers it: a text, or JSON text. */
export function answer(value: unknown) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { content: [{ type: "text" as const, text }] };
}
