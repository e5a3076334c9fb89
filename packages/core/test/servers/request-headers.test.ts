import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHost, type HostOptions } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";
import { createTestServer } from "../servers.ts";

const URL_OF_BANK = new URL("http://bank.invalid/mcp");

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A bank over HTTP, and the `x-tenant` header of each request by its method. */
function openBank() {
  const seen: Record<string, string | null> = {};
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "bank", version: "1" });
    const inputSchema = fromJsonSchema({ type: "object" });
    server.registerTool("pay", { inputSchema }, () => ({ content: [] }));
    return server;
  });
  const fetch: Fetch = (url, init) => {
    const request = new Request(url, init);
    const method = request.headers.get("mcp-method") ?? "";
    seen[method] = request.headers.get("x-tenant");
    return handler.fetch(request);
  };
  return { fetch, seen };
}

async function connectSdk(fetch: Fetch): Promise<Client> {
  const client = new Client(
    { name: "test-client", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(URL_OF_BANK, { fetch }));
  return client;
}

async function openHost(client: McpClientLike, options: Partial<HostOptions>) {
  const host = await createHost({ ...options, servers: { bank: client } });
  onTestFinished(() => host.close());
  return host;
}

describe("`requestHeaders`", () => {
  it("go with each request of SDK v2.", async () => {
    const { fetch, seen } = openBank();
    const host = await openHost(await connectSdk(fetch), {
      use: [
        {
          name: "request",
          requestHeaders: (request) => {
            const tenant = request.method === "tools/call" ? String(request.context) : "all";
            return { "x-tenant": tenant };
          },
        },
      ],
    });
    await host.call({ tool: "pay", arguments: { to: "Ann" } }, { context: "t1" });
    expect(seen).toMatchObject({ "tools/list": "all", "tools/call": "t1" });
  });

  it.each(["authorization", "Mcp-Session-Id", "MCP-Name"])(
    "refuse the call if SDK v2 would leave out %s without a word.",
    async (name) => {
      const { fetch, seen } = openBank();
      const host = await openHost(await connectSdk(fetch), {
        use: [
          {
            name: "request",
            requestHeaders: ({ method }) => (method === "tools/call" ? { [name]: "x" } : {}),
          },
        ],
      });
      await expect(host.call({ tool: "pay" })).rejects.toMatchObject({
        code: "invalid-options",
        message: expect.stringContaining(`SDK v2 sets the header "${name}" itself`),
      });
      expect(seen["tools/call"]).toBeUndefined();
    },
  );

  it.each<[string, () => Promise<McpClientLike>]>([
    ["SDK v1", async () => (await createTestServer({ pay: {} })).client],
    [
      "@ai-sdk/mcp",
      () => {
        const transport = {
          type: "http",
          url: URL_OF_BANK.href,
          fetch: openBank().fetch as never,
        } as const;
        return createMCPClient({ transport });
      },
    ],
  ])("refuse the call over %s, which sends none with a single request.", async (_, connect) => {
    const host = await openHost(await connect(), {
      use: [
        {
          name: "request",
          requestHeaders: ({ method }) =>
            method === "tools/call" ? { "x-tenant": "t1" } : undefined,
        },
      ],
    });
    await expect(host.call({ tool: "pay" })).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining("only SDK v2"),
    });
  });

  it("for the list are refused when the host is made.", async () => {
    const { client } = await createTestServer({ pay: {} });
    const requestHeaders = () => ({ "x-tenant": "t1" });
    await expect(openHost(client, { use: [{ name: "request", requestHeaders }] })).rejects.toThrow(
      "only SDK v2",
    );
  });
});
