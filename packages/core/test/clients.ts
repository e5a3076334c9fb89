import { createMCPClient as createAiSdkClient } from "@ai-sdk/mcp";
import { createMCPClient as createAiSdk6Client } from "@ai-sdk/mcp6";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpClientLike } from "../src/servers/to-port.ts";

/** A real client library that the core promises to work with. */
export interface ClientLibrary {
  readonly name: string;
  /** It tells the application, and so the host, when a server's tools have changed. */
  readonly notifies: boolean;
  connect(transport: InMemoryTransport): Promise<McpClientLike>;
}

const INFO = { name: "test-client", version: "1" };

export const clientLibraries: readonly ClientLibrary[] = [
  {
    name: "@modelcontextprotocol/sdk 1",
    notifies: true,
    async connect(transport) {
      const client = new ClientV1(INFO);
      await client.connect(transport);
      return client;
    },
  },
  {
    name: "@modelcontextprotocol/client 2",
    notifies: true,
    async connect(transport) {
      const client = new ClientV2(INFO);
      await client.connect(transport);
      return client;
    },
  },
  {
    name: "@ai-sdk/mcp 2",
    notifies: false,
    connect: (transport) => createAiSdkClient({ transport }),
  },
  {
    name: "@ai-sdk/mcp 1",
    notifies: false,
    connect: (transport) => createAiSdk6Client({ transport }),
  },
];
