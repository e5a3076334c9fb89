import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const ENTRY = fileURLToPath(new URL("bank/main.ts", import.meta.url));

export type BankProcess = Awaited<ReturnType<typeof startBank>>;

/**
 * Starts the bank's MCP server on a free loopback port. It ends with this process. `args` are those of `bank/main.ts`.
 * Rejects if it exits before it is ready.
 */
export async function startBank(...args: readonly "--buttons"[]) {
  const child = spawn(process.execPath, [ENTRY, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exited.then(([code]) => {
      throw new Error(`The bank server exited with code ${code} before it was ready.`);
    }),
  ]);
  const { url } = JSON.parse(String(line)) as { url: string };
  return {
    url: new URL(url),
    async close(): Promise<void> {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** A new session with the bank's MCP server. */
export async function connectBank(url: URL): Promise<Client> {
  const client = new Client({ name: "bank-chatbot", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}
