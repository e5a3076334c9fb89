import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

const entry = fileURLToPath(new URL("../src/bank-server.ts", import.meta.url));

/** Starts the server process over HTTP and waits for its address. */
export async function startHttpProcess(args: readonly string[] = []) {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  };
  return { url, stop };
}

export async function connectHttp(url: string): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(new URL(url)));
}

export async function connectStdio(args: readonly string[] = []): Promise<Client> {
  const command = { command: process.execPath, args: [entry, "--stdio", ...args] };
  return connect(new StdioClientTransport(command));
}

async function connect(transport: Parameters<Client["connect"]>[0]): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

/** Calls a tool and gives its result as it came, without the client's own checks of it. */
export function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
): Promise<CallToolResult> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return client.request({ method: "tools/call", params }, CallToolResultSchema);
}

export function texts(result: CallToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
