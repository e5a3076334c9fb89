import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryTransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  createMcpHandler,
  InMemoryTransport,
  McpServer,
  Server,
} from "@modelcontextprotocol/server";
import { createHost, type Host, type HostOptions } from "@toolrail/core";
import { expect, onTestFinished } from "vitest";
import { type McpServerLike, type ServeHostOptions, serveHost } from "../src/index.ts";

export const info = { name: "all", version: "1" };
const ADDRESS = new URL("http://127.0.0.1/mcp");

/** What a client's user does with a form or a page. */
export type Fill = (form: {
  message: string;
  requestedSchema: unknown;
  mode?: string;
  url?: string;
  elicitationId?: string;
}) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean>;
};

export interface WireClient {
  listTools(): Promise<{ tools: readonly { name: string; annotations?: unknown }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...more: object[]
  ): Promise<unknown>;
}

interface WireOptions extends ServeHostOptions {
  /** What a client that can ask its user declares. Default: forms. */
  readonly elicitation?: { readonly form?: Record<string, never>; readonly url?: object };
}

export interface Wire {
  readonly name: string;
  connect(host: Host, fill?: Fill, options?: WireOptions): Promise<WireClient>;
}

const FORMS = { form: {} };

function clientV2(fill: Fill | undefined, options: object) {
  const client = new Client(info, fill ? options : { ...options, capabilities: {} });
  if (fill) client.setRequestHandler("elicitation/create", ({ params }) => fill(params as never));
  return client;
}

function createV1(name: string, create: () => McpServerV1 | ServerV1): Wire {
  return createInMemory(name, create, (fill, { elicitation }) => {
    const client = new ClientV1(info, fill && { capabilities: { elicitation } });
    if (fill) client.setRequestHandler(ElicitRequestSchema, ({ params }) => fill(params as never));
    return { client, transports: InMemoryTransportV1.createLinkedPair() };
  });
}

function createV2(name: string, create: () => McpServer | Server): Wire {
  return createInMemory(name, create, (fill, capabilities) => ({
    client: clientV2(fill, { capabilities }),
    transports: InMemoryTransport.createLinkedPair(),
  }));
}

interface Connectable {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Connects a client to a served host over the in-memory transport of its SDK. */
function createInMemory(
  name: string,
  create: () => McpServerLike,
  open: (
    fill: Fill | undefined,
    capabilities: Required<Pick<WireOptions, "elicitation">>,
  ) => { client: object; transports: readonly unknown[] },
): Wire {
  return {
    name,
    async connect(host, fill, { elicitation = FORMS, ...options } = {}) {
      const server = create();
      serveHost(server, host, options);
      const { client, transports } = open(fill, { elicitation });
      const [near, far] = transports;
      await Promise.all([
        (server as Connectable).connect(far),
        (client as Connectable).connect(near),
      ]);
      onTestFinished(() => (client as Connectable).close());
      return client as WireClient;
    },
  };
}

export const modern: Wire = {
  name: "SDK v2 over HTTP, MCP 2026-07-28",
  async connect(host, fill, { elicitation = FORMS, ...options } = {}) {
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      serveHost(server, host, options);
      return server;
    });
    const versionNegotiation = { mode: { pin: "2026-07-28" } };
    const client = clientV2(fill, { capabilities: { elicitation }, versionNegotiation });
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(ADDRESS, { fetch }));
    onTestFinished(() => client.close());
    return client as WireClient;
  },
};

export const wires: readonly Wire[] = [
  createV1("McpServer of SDK v1", () => new McpServerV1(info)),
  createV1("Server of SDK v1", () => new ServerV1(info, { capabilities: {} })),
  createV2("McpServer of SDK v2", () => new McpServer(info)),
  createV2("Server of SDK v2", () => new Server(info, {})),
  modern,
];

export const text = (value: string) => ({ type: "text", text: value });
export const object = { type: "object" } as const;

/** A bank whose check names a transfer as the next call, and a shop. */
export async function openHost(options: Partial<HostOptions> = {}) {
  const calls: string[] = [];
  const bank = {
    list: async () => ({
      tools: [
        { name: "check", inputSchema: object, annotations: { readOnlyHint: true } },
        { name: "transfer", inputSchema: object },
        { name: "statement", inputSchema: object },
      ],
    }),
    call: async ({ name }: { name: string }) => {
      calls.push(name);
      if (name === "check") {
        const nextTool = { tool: "transfer", arguments: { amount: 5 } };
        return { content: [text("It is due.")], _meta: { nextTool } };
      }
      if (name === "transfer") return { content: [text("Sent 5.")] };
      const secret = { ...text("IBAN 12"), annotations: { audience: ["user"] } };
      return { content: [text("Three rows."), secret] };
    },
  };
  const shop = {
    list: async () => ({ tools: [{ name: "count", inputSchema: object }] }),
    call: async () => ({ content: [text("7")], structuredContent: { count: 7 } }),
  };
  const host = await createHost({ servers: { bank, shop }, ...options });
  return { host, calls };
}

/** The arguments of `callTool` after the first: in v1 a schema stands before the options. */
export function extraFor(client: unknown, options: object): object[] {
  return client instanceof ClientV1 ? [CallToolResultSchema, options] : [options];
}

/** Sends an answer twice at the same time. One of the two requests succeeds. */
export async function expectOnce(send: () => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled([send(), send()]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
}
