import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createMCPClient, type MCPClient, type MCPTransport } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type BenchTool, newServer, TOOLS } from "./tools.ts";

/** Two clients of one kind of server: that of the SDK, and the own one of `@ai-sdk/mcp`. */
export interface Connection {
  readonly client: Client;
  readonly other: MCPClient;
  close(): Promise<void>;
}

/** A server in this process. Its transport writes and reads JSON, as stdio and HTTP do, unless `json` is false. */
export async function connectInMemory(
  tools: Readonly<Record<string, BenchTool>> = TOOLS,
  { json = true }: { readonly json?: boolean } = {},
): Promise<Connection> {
  const open = async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    for (const side of json ? [clientSide, serverSide] : []) {
      const send = side.send.bind(side);
      side.send = (message, options) => send(JSON.parse(JSON.stringify(message)), options);
    }
    await newServer(tools).connect(serverSide);
    return clientSide;
  };
  return connect(await open(), (await open()) as MCPTransport);
}

const ENTRY = fileURLToPath(new URL("serve.ts", import.meta.url));

async function connectStdio(): Promise<Connection> {
  const start = { command: process.execPath, args: [ENTRY, "stdio"] };
  return connect(new StdioClientTransport(start), new Experimental_StdioMCPTransport(start));
}

async function connectHttp(): Promise<Connection> {
  const child = spawn(process.execPath, [ENTRY, "http"], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await once(createInterface(child.stdout), "line");
  const transport = new StreamableHTTPClientTransport(new URL(url)) as Transport;
  const connection = await connect(transport, { type: "http", url });
  return {
    ...connection,
    async close() {
      await connection.close();
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

type OtherTransport = Parameters<typeof createMCPClient>[0]["transport"];

async function connect(transport: Transport, theirs: OtherTransport): Promise<Connection> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  await client.listTools(); // From now on the SDK checks results by their schemas.
  const other = await createMCPClient({ transport: theirs });
  return {
    client,
    other,
    async close() {
      await client.close();
      await other.close();
    },
  };
}

/** How a server is reached, by the names of the tables. */
export const TRANSPORTS = { memory: connectInMemory, stdio: connectStdio, HTTP: connectHttp };
