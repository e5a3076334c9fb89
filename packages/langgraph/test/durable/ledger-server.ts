import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export interface Ledger {
  readonly url: string;
  /** Every call that came in, as `thread step`, in order. */
  readonly calls: readonly string[];
  stop(): Promise<void>;
}

/**
 * An MCP server over HTTP, which outlives the workers that call it. Its one tool, `act`, notes each call before it does
 * anything else; `GET /calls` tells whether one came in, as a person would find out.
 */
export async function startLedger(onCall: (count: number) => void): Promise<Ledger> {
  const calls: string[] = [];
  const open = async () => {
    const server = new Server({ name: "ledger", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: "act", inputSchema: { type: "object" as const } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const { thread, step } = params.arguments ?? {};
      onCall(calls.push(`${thread} ${step}`));
      await setTimeout(10);
      return { content: [{ type: "text" as const, text: `${step} of ${thread} done` }] };
    });
    const transport = new StreamableHTTPServerTransport({});
    await server.connect(transport as never);
    return transport;
  };
  // It closes no idle connection: a worker may be sending the next request on it.
  const http = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    if (request.url !== "/mcp") {
      response.end(JSON.stringify(calls));
      return;
    }
    const transport = await open();
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
