import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createHost, type HostOptions, modelView } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";

const INFO = { name: "test-client", version: "1" };
const PAGE = { message: "Confirm it.", url: "https://bank.example/confirm" };
const SHOWN = { mode: "url", ...PAGE, origin: "https://bank.example" };
const capabilities = { elicitation: { url: {} } };

/** A server of SDK v2 on MCP 2026-07-28 whose tool sends the user to a page, and the fetch that reaches it. */
function modernFetch() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "m", version: "1" });
    server.registerTool("transfer", { inputSchema: z.object({}) }, (_, { mcpReq }) => {
      const { page } = mcpReq.inputResponses ?? {};
      if (page) return { content: [{ type: "text", text: JSON.stringify(page) }] };
      return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(PAGE) } });
    });
    return server;
  });
  return (input: URL | string, init?: RequestInit) => handler.fetch(new Request(input, init));
}

const url = "http://bank.invalid/mcp";

async function connectV2(): Promise<McpClientLike> {
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: modernFetch() }));
  return client;
}

function connectAiSdk(): Promise<McpClientLike> {
  const fetch = modernFetch() as typeof globalThis.fetch;
  const transport = { type: "http", url, fetch } as const;
  return createMCPClient({ transport, capabilities, protocolVersionDiscovery: true });
}

/** A server of SDK v1, which asks in the middle of the call. */
async function connectV1(): Promise<McpClientLike> {
  const server = new ServerV1({ name: "m", version: "1" }, { capabilities: { tools: {} } });
  const asked = { ...PAGE, mode: "url" as const, elicitationId: "page" };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "transfer", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async () => {
    await server.ping(); // SDK v1 cannot cancel a request with the id 0.
    const answer = await server.elicitInput(asked);
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new ClientV1(INFO, { capabilities });
  await client.connect(ours);
  return client;
}

async function open(client: McpClientLike, options: Partial<HostOptions> = {}) {
  const host = await createHost({ servers: { bank: client }, ...options });
  onTestFinished(() => host.close());
  return host;
}

const textOf = (chain: Parameters<typeof modelView>[0]) => modelView(chain).content[0]?.text;

it.each([
  ["MCP 2026-07-28 and SDK v2", connectV2],
  ["MCP 2026-07-28 and @ai-sdk/mcp", connectAiSdk],
])("A call waits while the user visits a page, and continues: %s.", async (_, connect) => {
  const asked: unknown[] = [];
  const host = await open(await connect(), {
    onInputRequest({ signal: _, call: __, ...request }) {
      asked.push(request);
      return { action: "accept" };
    },
  });
  const done = await host.run({ tool: "transfer" });
  expect(done.ended).toBe("complete");
  expect(textOf(done)).toBe('{"action":"accept"}');
  expect(asked).toEqual([{ ...SHOWN, server: "bank" }]);
});

it("A server that sends the user to a page in the middle of a call is answered by onInputRequest.", async () => {
  const asked: unknown[] = [];
  const host = await open(await connectV1(), {
    onInputRequest({ signal: _, ...request }) {
      asked.push(request);
      return { action: "accept" };
    },
  });
  expect(textOf(await host.run({ tool: "transfer" }))).toBe('{"action":"accept"}');
  expect(asked).toEqual([{ ...SHOWN, server: "bank" }]);
});
