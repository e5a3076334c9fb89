import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import * as v2 from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHost } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import type { McpClientLike } from "../../packages/core/src/servers/to-port.ts";

export type Revision = "2025-11-25" | "2026-07-28";

/** What a scenario is driven with: a client alone, or a host over it. */
export interface Caller {
  /** The tools that may be called, with their schemas as the client has them. */
  list(): Promise<readonly OfferedTool[]>;
  call(name: string, args: JsonObject): Promise<unknown>;
  close(): Promise<void>;
}

export interface OfferedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A client library, and the revisions that it speaks. */
export interface Library {
  readonly name: string;
  readonly revisions: readonly Revision[];
  /** A connected client, which answers questions by their defaults, and how it calls of itself. */
  connect(url: string, revision: Revision): Promise<{ client: McpClientLike; alone: Caller }>;
}

const INFO = { name: "toolrail-conformance", version: "1" };

export const libraries: readonly Library[] = [
  {
    name: "SDK v1",
    revisions: ["2025-11-25"],
    async connect(url) {
      const capabilities = { elicitation: { form: { applyDefaults: true } } };
      const client = new Client(INFO, { capabilities });
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
      await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
      const alone: Caller = {
        list: async () => (await client.listTools()).tools,
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      };
      return { client, alone };
    },
  },
  {
    name: "SDK v2",
    revisions: ["2025-11-25", "2026-07-28"],
    async connect(url, revision) {
      const client = new v2.Client(INFO, {
        capabilities: { elicitation: { form: { applyDefaults: true } } },
        ...(revision === "2026-07-28" && { versionNegotiation: { mode: { pin: revision } } }),
      });
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
      await client.connect(new v2.StreamableHTTPClientTransport(new URL(url)));
      const alone: Caller = {
        list: async () => (await client.listTools()).tools,
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      };
      return { client, alone };
    },
  },
  {
    name: "@ai-sdk/mcp",
    revisions: ["2025-11-25", "2026-07-28"],
    async connect(url, revision) {
      const client = await createMCPClient({
        transport: { type: "http", url },
        capabilities: { elicitation: {} },
        protocolVersionDiscovery: revision === "2026-07-28",
      });
      client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => ({
        action: "accept",
        content: defaultsOf(params.requestedSchema),
      }));
      const alone: Caller = {
        list: async () => (await client.listTools()).tools as never,
        async call(name, args) {
          const tools = await client.tools();
          return tools[name]?.execute(args, { toolCallId: "1", messages: [], context: {} });
        },
        close: () => client.close(),
      };
      return { client, alone };
    },
  },
];

/** The same client behind a host. */
export async function throughToolrail(client: McpClientLike): Promise<Caller> {
  const host = await createHost({ servers: { suite: client } });
  return {
    list: async () => host.tools,
    call: (name, args) => host.call({ tool: { server: "suite", name }, arguments: args }),
    close: () => host.close(),
  };
}

/** The SDKs fill these in for an answer that leaves them out; this client leaves it to its application. */
function defaultsOf(requestedSchema: unknown): JsonObject {
  const { properties = {} } = requestedSchema as { properties?: Record<string, JsonObject> };
  const fields = Object.entries(properties).filter(([, field]) => "default" in field);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}
