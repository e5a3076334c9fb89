import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpClientTransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as InMemoryTransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as HttpServerTransportV1 } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  InMemoryTransport,
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { McpServerLike } from "../src/index.ts";

/** A tool of a test server: it is told its arguments and the context of its handler. */
export type TestHandler = (args: Record<string, unknown>, context: unknown) => unknown;

/** A real server and client of one major of the SDK, over its in-memory transport. */
export interface Wire {
  readonly name: string;
  open(tools: Record<string, TestHandler>): Promise<{
    readonly server: McpServerLike;
    connect(): Promise<WireClient>;
  }>;
}

interface WireClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: {
    name: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<object>;
}

/** Every tool takes an optional text `v` and a number `n`, and no more is known of it. */
const inputSchema = z.object({ v: z.unknown().optional(), n: z.number().optional() });
const info = { name: "test", version: "1" };

type Tools = Record<string, TestHandler>;

function createServerV1(tools: Tools) {
  const server = new McpServerV1(info);
  for (const [name, answer] of Object.entries(tools)) {
    server.registerTool(
      name,
      { inputSchema: inputSchema.shape },
      async (args, extra) => (await answer(args, extra)) as never,
    );
  }
  return server;
}

function createServer(tools: Tools) {
  const server = new McpServer(info);
  for (const [name, answer] of Object.entries(tools)) {
    server.registerTool(
      name,
      { inputSchema },
      async (args, context) => (await answer(args, context)) as never,
    );
  }
  return server;
}

/** A `Server` whose list and calls are handlers of its own, which check nothing. */
function createLowServer(tools: Tools) {
  const server = new Server(info, { capabilities: { tools: {} } });
  const schema = z.toJSONSchema(inputSchema) as { type: "object" };
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: schema })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    try {
      return (await tools[params.name]?.(params.arguments ?? {}, context)) as never;
    } catch (error) {
      return { content: [{ type: "text", text: (error as Error).message }], isError: true };
    }
  });
  return server;
}

/** Over the in-memory transport of an SDK, unless the client has another way to its server. */
function createWire<Made extends McpServerLike>(
  name: string,
  create: (tools: Tools) => Made,
  connect: (server: Made) => Promise<{ close(): Promise<void> }>,
): Wire {
  return {
    name,
    async open(tools) {
      const server = create(tools);
      return {
        server,
        async connect() {
          const client = await connect(server);
          onTestFinished(() => client.close());
          return client as unknown as WireClient;
        },
      };
    },
  };
}

async function connectV1(server: McpServerV1) {
  const client = new ClientV1(info);
  const [near, far] = InMemoryTransportV1.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

async function connect(server: McpServer | Server) {
  const client = new Client(info);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

const ADDRESS = new URL("http://127.0.0.1/mcp");

/** Requests and responses as over HTTP, handed over without a socket. */
async function connectByHttpV1(server: McpServerV1) {
  const serverSide = new HttpServerTransportV1({ sessionIdGenerator: () => "s1" });
  await server.connect(serverSide as never);
  const client = new ClientV1(info);
  const fetch = (url: string | URL, init?: RequestInit) =>
    serverSide.handleRequest(new Request(url, init));
  await client.connect(new HttpClientTransportV1(ADDRESS, { fetch }) as never);
  return client;
}

async function connectByHttp(server: McpServer | Server) {
  const serverSide = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => "s1",
  });
  await server.connect(serverSide);
  const client = new Client(info);
  const fetch = (url: string | URL, init?: RequestInit) =>
    serverSide.handleRequest(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(ADDRESS, { fetch }));
  return client;
}

export const wires: readonly Wire[] = [
  createWire("SDK v1", createServerV1, connectV1),
  createWire("SDK v1 over HTTP", createServerV1, connectByHttpV1),
  createWire("SDK v2", createServer, connect),
  createWire("SDK v2 over HTTP", createServer, connectByHttp),
  createWire("SDK v2, low-level", createLowServer, connect),
  createWire("SDK v2, low-level, over HTTP", createLowServer, connectByHttp),
];

/** Answers with its arguments. */
export const echo: TestHandler = (args) => ({ content: [], structuredContent: args });
