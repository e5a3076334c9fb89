import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport as Transport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** What a client has sent: `POST tools/call`, `DELETE`. */
interface SeenRequest {
  readonly what: string;
  readonly headers: Headers;
}

type Answer = (
  server: Server,
  call: { readonly signal: AbortSignal; progress(progress: number): Promise<void> },
) => unknown;

/** A server with sessions over Streamable HTTP in this process, for the option `fetch`. */
export function createWebServer(tools: Record<string, Answer>) {
  const seen: SeenRequest[] = [];
  const sessions = new Map<string, Transport>();
  const servers: Server[] = [];
  const openSession = async () => {
    const server = new Server(
      { name: "web", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const progressToken = params._meta?.progressToken ?? 0;
      const result = await tools[params.name]?.(server, {
        signal: extra.signal,
        progress: (progress) =>
          extra.sendNotification({
            method: "notifications/progress",
            params: { progressToken, progress },
          }),
      });
      return { content: [{ type: "text", text: JSON.stringify(result) }] };
    });
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport as Parameters<Server["connect"]>[0]);
    servers.push(server);
    return transport;
  };
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method = "" } = request.method === "POST" ? await request.clone().json() : {};
    seen.push({ what: `${request.method} ${method}`.trim(), headers: request.headers });
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? await openSession() : sessions.get(id);
    return known?.handleRequest(request) ?? new Response("Session not found", { status: 404 });
  };
  return {
    fetch,
    servers,
    seen,
    /** How often something was sent. */
    count: (what: string) => seen.filter((one) => one.what === what).length,
    /** Forgets all sessions, as a server does that was started again. */
    forget: () => sessions.clear(),
  };
}
