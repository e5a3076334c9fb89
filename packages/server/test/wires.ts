import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryTransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
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

export const wires: readonly Wire[] = [
  {
    name: "SDK v1",
    async open(tools) {
      const server = new McpServerV1(info);
      for (const [name, answer] of Object.entries(tools)) {
        server.registerTool(
          name,
          { inputSchema: inputSchema.shape },
          async (args, extra) => (await answer(args, extra)) as never,
        );
      }
      return {
        server,
        async connect() {
          const client = new ClientV1(info);
          const [near, far] = InMemoryTransportV1.createLinkedPair();
          await Promise.all([server.connect(far), client.connect(near)]);
          onTestFinished(() => client.close());
          return client as unknown as WireClient;
        },
      };
    },
  },
  {
    name: "SDK v2",
    async open(tools) {
      const server = new McpServer(info);
      for (const [name, answer] of Object.entries(tools)) {
        server.registerTool(
          name,
          { inputSchema },
          async (args, context) => (await answer(args, context)) as never,
        );
      }
      return {
        server,
        async connect() {
          const client = new Client(info);
          const [near, far] = InMemoryTransport.createLinkedPair();
          await Promise.all([server.connect(far), client.connect(near)]);
          onTestFinished(() => client.close());
          return client as unknown as WireClient;
        },
      };
    },
  },
];

/** Answers with its arguments. */
export const echo: TestHandler = (args) => ({ content: [], structuredContent: args });
