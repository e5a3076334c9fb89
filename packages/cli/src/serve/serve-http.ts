import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

export interface Listening {
  readonly url: string;
  /** Notifies listening clients of MCP 2026-07-28 that the tools have changed. */
  notifyToolsChanged(): void;
  close(): Promise<void>;
}

/** The maximum number of open sessions. The least recently used one is closed first. */
const MAX_SESSIONS = 1_000;

/** Serves MCP over Streamable HTTP on this machine only. Clients before MCP 2026-07-28 get sessions. */
export async function serveHttp(create: () => McpServer, port: number): Promise<Listening> {
  const modern = createMcpHandler(create, { legacy: "reject" });
  const sessions = createSessions(create);
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused) return refused;
    return (await isLegacyRequest(request)) ? sessions.handle(request) : modern.fetch(request);
  };
  const http = createServer(getRequestListener(answer, { hostname: "127.0.0.1" }));
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notifyToolsChanged: () => modern.notify.toolsChanged(),
    async close() {
      await Promise.allSettled([sessions.close(), modern.close()]);
      await new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      });
    },
  };
}

/** Creates the sessions of clients before MCP 2026-07-28, each with a separate server. */
function createSessions(create: () => McpServer) {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  async function begin() {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized(id) {
        open.set(id, transport);
        const [oldest] = open;
        if (open.size > MAX_SESSIONS && oldest) void oldest[1].close();
      },
    });
    transport.onclose = () => open.delete(transport.sessionId ?? "");
    await create().connect(transport);
    return transport;
  }
  return {
    async handle(request: Request): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return (await begin()).handleRequest(request);
      const transport = open.get(id);
      if (!transport) return Response.json(NO_SESSION, { status: 404 });
      open.delete(id);
      open.set(id, transport);
      return transport.handleRequest(request);
    },
    close: () => Promise.allSettled([...open.values()].map((transport) => transport.close())),
  };
}

const NO_SESSION = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32001, message: "There is no such session. Initialize again." },
};
