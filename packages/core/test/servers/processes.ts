import { join } from "node:path";
import { createMCPClient as createAiSdkClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioAiSdk } from "@ai-sdk/mcp/mcp-stdio";
import { createMCPClient as createAiSdk6Client } from "@ai-sdk/mcp6";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type ConnectedServer, http, stdio } from "../../src/connect/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";

export { startSessionServer } from "./session-server.ts";

const INFO = { name: "test-client", version: "1" };
const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

/** A real client library, over real connections. */
export interface RemoteLibrary {
  readonly name: string;
  http(url: URL): Promise<McpClientLike>;
}

export const remoteLibraries: readonly RemoteLibrary[] = [
  {
    name: "@modelcontextprotocol/sdk 1",
    http: (url) => connect(new ClientV1(INFO), new HttpV1(url)),
  },
  {
    name: "@modelcontextprotocol/client 2",
    http: (url) => connect(new ClientV2(INFO), new HttpV2(url)),
  },
  {
    name: "@ai-sdk/mcp 2",
    http: (url) => createAiSdkClient({ transport: { type: "http", url: url.href } }),
  },
  {
    name: "@ai-sdk/mcp 1",
    http: (url) => createAiSdk6Client({ transport: { type: "http", url: url.href } }),
  },
];

/** The servers of `@toolrail/core/connect`, called as a host does. */
const connected = async ({ client }: ConnectedServer): Promise<McpClientLike> => {
  const { signal } = new AbortController();
  return (await client({} as never, { signal, elicitation: false })) as McpClientLike;
};

export const httpOfConnect: RemoteLibrary = { name: "http()", http: (url) => connected(http(url)) };

const STDIO = { command: process.execPath, args: [fixture("stdio-server.mjs")] };

/** A real client library that starts a process of `stdio-server.mjs`. */
export const stdioLibraries: readonly {
  readonly name: string;
  stdio(): Promise<McpClientLike>;
}[] = [
  {
    name: "@modelcontextprotocol/sdk 1",
    stdio: () => connect(new ClientV1(INFO), new StdioV1(STDIO)),
  },
  {
    name: "@modelcontextprotocol/client 2",
    stdio: () => connect(new ClientV2(INFO), new StdioV2(STDIO)),
  },
  {
    name: "stdio()",
    stdio: () => connected(stdio(STDIO.command, STDIO.args)),
  },
  {
    name: "@ai-sdk/mcp 2",
    stdio: () => createAiSdkClient({ transport: new StdioAiSdk(STDIO) }),
  },
];

async function connect<Transport, Client extends McpClientLike>(
  client: Client & { connect(transport: Transport): Promise<void> },
  transport: Transport,
): Promise<Client> {
  await client.connect(transport);
  return client;
}
