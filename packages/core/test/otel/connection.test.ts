import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import * as api from "@opentelemetry/api";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHost, type McpClientLike, type McpPort } from "../../src/index.ts";
import { trace } from "../../src/otel/index.ts";
import { remoteLibraries, stdioLibraries } from "../servers/processes.ts";
import { createTestServer } from "../servers.ts";
import { startTracing, takeSpans } from "./tracing.ts";

beforeAll(startTracing);
beforeEach(() => void takeSpans());

/** A server over HTTP that begins sessions, and the session and the request id of each call that it was sent. */
async function openServer() {
  const seen: string[] = [];
  const sessions = new Map<unknown, StreamableHTTPServerTransport>();
  const begin = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: "bank", version: "1" });
    server.registerTool("pay", {}, ({ requestId, sessionId }) => {
      seen.push(`${sessionId} ${requestId}`);
      return { content: [] };
    });
    await server.connect(transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const known = sessions.get(request.headers["mcp-session-id"]);
    const body = request.method === "POST" ? await json(request) : undefined;
    await (known ?? (await begin())).handleRequest(request, response, body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => void http.close().closeAllConnections());
  const { port } = http.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), seen };
}

/** The attributes of the spans of two calls at once. */
async function callTwice(client: McpClientLike | McpPort, tool: string) {
  const host = await createHost(trace(api, { servers: { bank: client } }));
  onTestFinished(() => host.close());
  await Promise.all([host.call({ tool }), host.call({ tool })]);
  return takeSpans().map(({ attributes }) => attributes);
}

describe.each(remoteLibraries)("Over HTTP with $name", ({ http }) => {
  it("the span of a call tells its request, its session, the revision and the network, as the server has them.", async () => {
    const { url, seen } = await openServer();
    const spans = await callTwice(await http(url), "pay");
    const told = spans.map((span) => `${span["mcp.session.id"]} ${span["jsonrpc.request.id"]}`);
    expect(told.toSorted()).toEqual(seen.toSorted());
    expect(new Set(seen).size).toBe(2);
    for (const span of spans) {
      expect(span).toMatchObject({
        "mcp.protocol.version": "2025-11-25",
        "network.transport": "tcp",
      });
    }
  });
});

it.each(stdioLibraries)(
  "Over stdio with $name, a span tells its request, and of no session.",
  async ({ name, stdio }) => {
    const [one, two] = await callTwice(await stdio(), "live");
    const [first = 0, second] = [one, two]
      .map((span) => Number(span?.["jsonrpc.request.id"]))
      .sort();
    expect(second).toBe(first + 1);
    expect(one).toMatchObject({ "network.transport": "pipe" });
    expect(one).not.toHaveProperty("mcp.session.id");
    const isTold = !name.includes("sdk 1"); // SDK v1 does not say what it has agreed upon over stdio.
    expect(one?.["mcp.protocol.version"]).toBe(isTold ? "2025-11-25" : undefined);
  },
);

it("On MCP 2026-07-28 a span tells the revision, and of no session.", async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServerV2({ name: "bank", version: "1" });
    server.registerTool("pay", {}, () => ({ content: [] }));
    return server;
  });
  const client = new Client(
    { name: "test-client", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const url = new URL("http://bank.invalid/mcp");
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  const [span] = await callTwice(client, "pay");
  expect(span).toMatchObject({
    "mcp.protocol.version": "2026-07-28",
    "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
    "network.transport": "tcp",
  });
  expect(span).not.toHaveProperty("mcp.session.id");
});

it("Each attempt of an interceptor that repeats a call tells a request of its own, and the interceptor may hear of it.", async () => {
  const { client } = await createTestServer({ pay: {} });
  const heard: unknown[] = [];
  const options = trace(api, {
    servers: { bank: client },
    intercept: [
      async (call, next) => {
        const onRequest = (known: object) => void heard.push(known);
        await next({ ...call, onRequest });
        return next({ ...call, onRequest });
      },
    ],
  });
  const host = await createHost(options);
  await host.call({ tool: "pay" });
  const ids = takeSpans().map(({ attributes }) => attributes["jsonrpc.request.id"]);
  expect(new Set(ids).size).toBe(2);
  expect(heard).toHaveLength(2);
  for (const id of ids) {
    expect(heard).toContainEqual(expect.objectContaining({ "jsonrpc.request.id": id }));
  }
});

it("A port of the application tells what it knows, and a span has nothing that nobody told.", async () => {
  const port: McpPort = {
    list: async () => ({
      tools: ["tells", "keeps"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    async call({ name }, { onRequest }) {
      if (name === "tells") onRequest?.({ "server.address": "bank.example" });
      return { content: [] };
    },
  };
  const [tells] = await callTwice(port, "tells");
  expect(tells).toMatchObject({ "server.address": "bank.example" });
  const [keeps] = await callTwice(port, "keeps");
  expect(Object.keys(keeps ?? {}).filter((key) => /^(jsonrpc|network|server)/.test(key))).toEqual(
    [],
  );
});
