import { spawn } from "node:child_process";
import { once } from "node:events";
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
import { onTestFinished } from "vitest";
import type { McpClientLike } from "../../src/index.ts";

const INFO = { name: "test-client", version: "1" };
const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

/** A server process with sessions, which can be killed and started again at the same port. */
export interface SessionServer {
  readonly url: URL;
  kill(): Promise<void>;
  /** With another description of its tools where one is given. */
  start(description?: string): Promise<void>;
}

export async function startSessionServer(): Promise<SessionServer> {
  let port = "0";
  let stop = async () => {};
  const start = async (description = "Buys.") => {
    const args = [fixture("session-server.mjs"), port, description];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(child, "exit");
    stop = async () => {
      child.kill("SIGKILL");
      await exit;
    };
    port = String((await once(child.stdout, "data"))[0]).trim();
  };
  await start();
  onTestFinished(() => stop());
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), start, kill: () => stop() };
}

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
