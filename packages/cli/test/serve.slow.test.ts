import { fileURLToPath } from "node:url";
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeTemporary } from "./write-temporary.ts";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const conditions = "--conditions=@toolrail/source";

/** The command line that serves a host with one real program behind it. */
function command(config: object = {}) {
  const shop = {
    command: process.execPath,
    args: [conditions, here("./fixtures/stdio-server.ts")],
  };
  const file = writeTemporary("host.json", { mcpServers: { shop }, ...config });
  const args = [conditions, here("../src/bin.ts"), "serve", "--config", file];
  return { command: process.execPath, args };
}

const info = { name: "test", version: "1" };
const capabilities = { elicitation: { form: {} } };
const YES = { action: "accept", content: { approve: true } } as const;

type Command = Awaited<ReturnType<typeof command>>;
type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** A real client, and whether it can ask its user. */
interface RealClient {
  readonly name: string;
  readonly asks: boolean;
  /** Starts the program, whose user says yes to each form. */
  start(run: Command): Promise<Call>;
}

function sdkV2(name: string, options: object): RealClient {
  return {
    name,
    asks: true,
    async start(run) {
      const client = new Client(info, { ...options, capabilities });
      client.setRequestHandler("elicitation/create", () => YES);
      await client.connect(new StdioClientTransport({ ...run, stderr: "ignore" }));
      onTestFinished(() => client.close());
      return (name, args) => client.callTool({ name, arguments: args });
    },
  };
}

const clients: readonly RealClient[] = [
  {
    name: "SDK v1",
    asks: true,
    async start(run) {
      const client = new ClientV1(info, { capabilities });
      client.setRequestHandler(ElicitRequestSchema, () => YES);
      await client.connect(new StdioClientTransportV1({ ...run, stderr: "ignore" }));
      onTestFinished(() => client.close());
      return (name, args) => client.callTool({ name, arguments: args });
    },
  },
  sdkV2("SDK v2", {}),
  sdkV2("MCP 2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
  {
    name: "@ai-sdk/mcp",
    asks: true,
    async start(run) {
      const transport = new StdioClientTransport({ ...run, stderr: "ignore" });
      const client = await createMCPClient({ transport: transport as never, capabilities });
      client.onElicitationRequest(ElicitationRequestSchema, () => YES);
      onTestFinished(() => client.close());
      const tools = await client.tools();
      const call = { toolCallId: "1", messages: [] } as never;
      return async (name, args) => tools[name]?.execute?.(args, call);
    },
  },
  {
    name: "mcp-adapters",
    asks: false,
    async start(run) {
      const servers = { all: { transport: "stdio" as const, ...run, stderr: "ignore" as const } };
      const client = new MultiServerMCPClient(servers);
      onTestFinished(() => client.close());
      const tools = await client.getTools();
      return async (name, args) => tools.find((tool) => tool.name === name)?.invoke(args);
    },
  },
];

describe.each(clients)("toolrail serve over stdio, for the real client $name", (client) => {
  const start = async (config?: object) => {
    const call = await client.start(command(config));
    // A client may throw what another returns as a result with `isError`.
    return async (...args: Parameters<Call>) =>
      JSON.stringify(await call(...args).catch((error: unknown) => String(error)));
  };

  it("runs a chain", async () => {
    const call = await start();
    const result = await call("open_account", { name: "Ada" });
    expect(result).toMatch(/The account is open.*Then welcome was called/);
  });

  it("runs a pipe of the client, and asks its user about a step or says that it cannot", async () => {
    const call = await start({ pipe: true, requireApproval: ["shop.welcome"] });
    const steps = [
      { id: "sum", tool: "add", args: { a: 1, b: 2 } },
      { id: "hi", tool: "welcome", args: { name: "Ada" } },
    ];
    const sum = { $ref: "steps.sum.structured.sum" };
    expect(await call("mcp_pipe", { steps: steps.slice(0, 1), return: sum })).toMatch(
      /ok\W+true.*result\W+3/,
    );
    const whole = await call("mcp_pipe", { steps, return: sum });
    expect(whole).toMatch(
      client.asks ? /ok\W+true.*result\W+3/ : /was not approved: this client cannot ask its user/,
    );
  });

  it("asks its user about a call that needs an approval, or says that it cannot", async () => {
    const call = await start({ requireApproval: ["shop.welcome"] });
    const result = await call("open_account", { name: "Ada" });
    expect(result).toContain("The account is open.");
    expect(result).toMatch(client.asks ? /Welcome, Ada!/ : /this client cannot ask its user/);
  });
});
