import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isLoopbackRequest } from "./loopback.ts";

export interface HttpServing {
  /** Where clients connect, ending in `/mcp`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves MCP by Streamable HTTP on the loopback address; each session has its own server. */
export async function serveHttp(newServer: () => McpServer, port: number): Promise<HttpServing> {
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLoopbackRequest(request)) return refuse(response, 403, "Only loopback hosts may call.");
    if (request.url?.split("?")[0] !== "/mcp") return refuse(response, 404, "Use /mcp.");
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(String(id));
    if (id !== undefined && !known) return refuse(response, 404, "Session not found.");
    const transport = known ?? (await openSession());
    await transport.handleRequest(request, response);
    // Not an initialize request: the transport has refused it, and there is no session to keep.
    if (transport.sessionId === undefined) await transport.close();
  }

  const http = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => refuse(response, 500, String(error)));
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: actualPort } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}/mcp`,
    close: async () => {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      http.close();
      http.closeAllConnections();
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: "2.0", error: { code: -32000, message }, id: null };
  if (!response.headersSent) response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
