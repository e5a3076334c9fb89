import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const conditions = "--conditions=@toolrail/source";

/** The command line that serves a host with one real program behind it. */
async function command(config: object = {}) {
  const file = join(await mkdtemp(join(tmpdir(), "toolrail-")), "host.json");
  const shop = {
    command: process.execPath,
    args: [conditions, here("./fixtures/stdio-server.ts")],
  };
  await writeFile(file, JSON.stringify({ mcpServers: { shop }, ...config }));
  const args = [conditions, here("../src/bin.ts"), "serve", "--config", file];
  return { command: process.execPath, args };
}

const info = { name: "test", version: "1" };

describe("toolrail serve over stdio, as a program that a client starts", () => {
  it.each([
    [
      "SDK v1",
      async (run: Awaited<ReturnType<typeof command>>) => {
        const client = new ClientV1(info);
        await client.connect(new StdioClientTransportV1({ ...run, stderr: "ignore" }));
        onTestFinished(() => client.close());
        return client.callTool({ name: "open_account", arguments: { name: "Ada" } });
      },
    ],
    [
      "SDK v2",
      async (run: Awaited<ReturnType<typeof command>>) => {
        const client = new Client(info);
        await client.connect(new StdioClientTransport({ ...run, stderr: "ignore" }));
        onTestFinished(() => client.close());
        return client.callTool({ name: "open_account", arguments: { name: "Ada" } });
      },
    ],
    [
      "MCP 2026-07-28",
      async (run: Awaited<ReturnType<typeof command>>) => {
        const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
        await client.connect(new StdioClientTransport({ ...run, stderr: "ignore" }));
        onTestFinished(() => client.close());
        return client.callTool({ name: "open_account", arguments: { name: "Ada" } });
      },
    ],
    [
      "@ai-sdk/mcp",
      async (run: Awaited<ReturnType<typeof command>>) => {
        const transport = new StdioClientTransport({ ...run, stderr: "ignore" });
        const client = await createMCPClient({ transport: transport as never });
        onTestFinished(() => client.close());
        const tools = await client.tools();
        return tools.open_account?.execute?.({ name: "Ada" }, {
          toolCallId: "1",
          messages: [],
        } as never);
      },
    ],
    [
      "mcp-adapters",
      async (run: Awaited<ReturnType<typeof command>>) => {
        const servers = { all: { transport: "stdio" as const, ...run, stderr: "ignore" as const } };
        const client = new MultiServerMCPClient(servers);
        onTestFinished(() => client.close());
        const tool = (await client.getTools()).find(({ name }) => name === "open_account");
        return tool?.invoke({ name: "Ada" });
      },
    ],
  ])("runs a chain for a real client: %s", async (_, run) => {
    const result = JSON.stringify(await run(await command()));
    expect(result).toMatch(/The account is open.*Then welcome was called/);
  });
});
