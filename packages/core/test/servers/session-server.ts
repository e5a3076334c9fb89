import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

interface ServerSettings {
  /** The description of its tools. */
  readonly description?: string;
  /** True if no session holds for a call. */
  readonly forgets?: boolean;
  /** True if it answers with streams of events in place of JSON. */
  readonly streams?: boolean;
}

/** A server with sessions over HTTP, which forgets them when it is started again at the same port. */
export interface SessionServer {
  readonly url: URL;
  /** The sessions and calls since it was last started. */
  seen(): { readonly sessions: number; readonly calls: number };
  kill(): Promise<void>;
  start(settings?: ServerSettings): Promise<void>;
  restart(settings?: ServerSettings): Promise<void>;
}

export async function startSessionServer(first?: ServerSettings): Promise<SessionServer> {
  let port = 0;
  let http: HttpServer | undefined;
  let seen = { sessions: 0, calls: 0 };

  const start = async (settings: ServerSettings = {}) => {
    const { description = "Buys.", forgets = false, streams = false } = settings;
    const sessions = new Map<string, StreamableHTTPServerTransport>();
    const counts = { sessions: 0, calls: 0 };
    seen = counts;
    const openSession = async () => {
      const server = new Server({ name: "shop", version: "1" }, { capabilities: { tools: {} } });
      const tools = ["buy", "wait"].map((name) => {
        return { name, description, inputSchema: { type: "object" as const } };
      });
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
        counts.calls++;
        if (params.name === "wait") return new Promise<never>(() => {});
        return { content: [{ type: "text", text: JSON.stringify(counts) }] };
      });
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: !streams,
        onsessioninitialized: (id) => {
          counts.sessions++;
          sessions.set(id, transport);
        },
      });
      await server.connect(transport as Parameters<Server["connect"]>[0]);
      return transport;
    };
    http = createServer(async (request, response) => {
      // A connection that is kept for later would be cut by the restart, in the middle of the next request.
      response.setHeader("connection", "close");
      const chunks = await request.toArray();
      const text = Buffer.concat(chunks).toString();
      const body = text === "" ? undefined : JSON.parse(text);
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? sessions.get(id) : await openSession();
      const isForgotten = forgets && body?.method === "tools/call";
      if (known && !isForgotten) await known.handleRequest(request, response, body);
      else response.writeHead(404).end("Session not found");
    });
    http.listen(port, "127.0.0.1");
    await once(http, "listening");
    port = (http.address() as AddressInfo).port;
  };
  const kill = async () => {
    const closed = http?.listening ? once(http, "close") : undefined;
    http?.close();
    http?.closeAllConnections();
    await closed;
  };
  const restart = async (settings?: ServerSettings) => {
    await kill();
    await start(settings);
  };
  await start(first);
  onTestFinished(kill);
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  return { url, seen: () => seen, kill, start, restart };
}
