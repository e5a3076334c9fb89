import { randomUUID } from "node:crypto";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type Listening, listen, RefusedRequest } from "./listen.ts";

/** Serves MCP by Streamable HTTP at `/mcp`. Each session has a separate server. */
export async function serveHttp(newServer: () => McpServer): Promise<Listening> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onclose = () => sessions.delete(transport.sessionId ?? "");
    await newServer().connect(transport);
    return transport;
  }

  const http = await listen(async (request, response) => {
    if (request.url?.split("?")[0] !== "/mcp") throw new RefusedRequest(404, "Use /mcp.");
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(String(id));
    if (id !== undefined && !known) throw new RefusedRequest(404, "Session not found.");
    const transport = known ?? (await openSession());
    await transport.handleRequest(request, response);
    // Not an initialize request: the transport has refused it, and there is no session to keep.
    if (transport.sessionId === undefined) await transport.close();
  });
  return {
    url: `${http.url}mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      await http.close();
    },
  };
}
