import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "@toolrail/core/json";

/** What one call looked like to the server. */
export interface SeenCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: JsonObject | undefined;
  readonly signal: AbortSignal;
  progress(progress: number): Promise<void>;
}

/** A tool of a test server: its definition, and what it answers. */
export interface TestTool {
  readonly definition?: JsonObject;
  readonly answer?: (call: SeenCall) => unknown;
}

export interface ServedTools {
  readonly server: Server;
  /** The client's end of an in-memory transport, for any MCP client. */
  readonly transport: InMemoryTransport;
  /** Names of the tools that were called, in order. */
  readonly calls: string[];
  readonly seen: SeenCall[];
  tools: Record<string, TestTool>;
}

export interface TestServer extends ServedTools {
  readonly client: Client;
}

export interface ServeOptions {
  /** False keeps no calls, as where very many are timed. Default true. */
  readonly record?: boolean;
  /** What the server says of its use when it is connected. */
  readonly instructions?: string;
}

const OPEN_SCHEMA = { type: "object" };

/** A real SDK server and client over an in-memory transport. */
export async function createTestServer(
  tools: Record<string, TestTool>,
  options?: ServeOptions,
): Promise<TestServer> {
  const served = await serveTools(tools, options);
  const client = new Client({ name: "test-client", version: "1" });
  await client.connect(served.transport);
  return Object.assign(served, { client });
}

/** A real SDK server that waits for a client; its answers go out unchecked, as an untrusted server's would. */
export async function serveTools(
  tools: Record<string, TestTool>,
  { record = true, instructions = "" }: ServeOptions = {},
): Promise<ServedTools> {
  const server = new Server(
    { name: "test", version: "1" },
    { capabilities: { tools: { listChanged: true } }, ...(instructions && { instructions }) },
  );
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  const test: ServedTools = { server, transport, calls: [], seen: [], tools };
  server.setRequestHandler(
    ListToolsRequestSchema,
    () =>
      ({
        tools: Object.entries(test.tools).map(([name, { definition }]) => ({
          name,
          inputSchema: OPEN_SCHEMA,
          ...definition,
        })),
      }) as never,
  );
  // The base class's method: `Server` checks results on their way out, which an untrusted server does not.
  Protocol.prototype.setRequestHandler.call(
    server,
    CallToolRequestSchema,
    async ({ params }, { signal, sendNotification }) => {
      const call: SeenCall = {
        name: params.name,
        arguments: params.arguments ?? {},
        _meta: params._meta,
        signal,
        progress: (progress) =>
          sendNotification({
            method: "notifications/progress",
            params: { progressToken: params._meta?.progressToken ?? 0, progress },
          }),
      };
      if (record) {
        test.calls.push(params.name);
        test.seen.push(call);
      }
      const answer = await test.tools[params.name]?.answer?.(call);
      return (answer ?? { content: [{ type: "text", text: `${params.name} done` }] }) as never;
    },
  );
  await server.connect(serverSide);
  return test;
}

/** A result that asks for the next call. */
export function asking(tool: string, args?: JsonObject, text = "more to come") {
  const nextTool = args ? { tool, arguments: args } : { tool };
  return { content: [{ type: "text", text }], _meta: { nextTool } };
}
