import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createTools as createSdkTools } from "@toolrail/ai-sdk";
import { createHost } from "@toolrail/core";
import { createTools as createGraphTools } from "@toolrail/langgraph";
import { generateText } from "ai";
import { expect, it, onTestFinished } from "vitest";
import { countTokens } from "../../examples/offline-model/src/usage.ts";
import { serveTools } from "../../packages/core/test/servers.ts";

const require = createRequire(import.meta.url);
const cli = createRequire(new URL("../../packages/cli/package.json", import.meta.url));
const GUIDE = new URL("../../docs/figures.md", import.meta.url);
const of = (name: string) => `@modelcontextprotocol/server-${name}/package.json`;
/** The programs of servers from npm, by the manifests of their packages. */
const PROGRAMS: Record<string, readonly [manifest: string, program: string]> = {
  everything: [cli.resolve(of("everything")), "../dist/index.js"],
  filesystem: [cli.resolve(of("filesystem")), "../dist/index.js"],
  memory: [cli.resolve(of("memory")), "../dist/index.js"],
  "sequential-thinking": [require.resolve(of("sequential-thinking")), "../dist/index.js"],
  playwright: [require.resolve("@playwright/mcp/package.json"), "../cli.js"],
};

const NAMES = Object.keys(PROGRAMS);

function toCommand(name: string) {
  const [manifest = "", program = ""] = PROGRAMS[name] ?? [];
  const args = [join(manifest, program), ...(name === "filesystem" ? [tmpdir()] : [])];
  return { command: process.execPath, args };
}

/** The tools that a server lists, for servers in memory that list the same: but for what runs only as a task. */
async function readDefinitions(name: string) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({ ...toCommand(name), stderr: "ignore" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  const callable = tools.filter(({ execution }) => execution?.taskSupport !== "required");
  return Object.fromEntries(callable.map((tool) => [tool.name, { definition: { ...tool } }]));
}

/** A `fetch` that keeps the tools of the request, as the package of a provider wrote them. */
function openWire() {
  let tools: unknown;
  const fetch = async (_url: unknown, init?: RequestInit) => {
    tools = JSON.parse(String(init?.body)).tools;
    const message = { role: "assistant", content: "hi" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return Response.json({ id: "1", object: "chat.completion", choices, usage });
  };
  return { fetch, countSent: () => countTokens(JSON.stringify(tools)) };
}

async function countWithSdk(tools: object): Promise<number> {
  const { fetch, countSent } = openWire();
  const provider = createOpenAICompatible({ name: "wire", baseURL: "http://wire.invalid", fetch });
  await generateText({ model: provider.chatModel("m"), tools, prompt: "hi" } as never);
  return countSent();
}

async function countWithGraph(tools: readonly object[]): Promise<number> {
  const { fetch, countSent } = openWire();
  const configuration = { baseURL: "http://wire.invalid", fetch };
  const model = new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, configuration });
  await model.bindTools(tools as never).invoke("hi");
  return countSent();
}

const rows: (readonly (string | number)[])[] = [];

it.each(NAMES)(
  "The tools of server-%s cost a model at most 3 % more tokens than with the frameworks' own adapters.",
  async (name) => {
    const definitions = await readDefinitions(name);
    const connect = async () => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect((await serveTools(definitions)).transport);
      return client;
    };
    const host = await createHost({ servers: { [name]: await connect() }, onEvent: () => {} });
    onTestFinished(() => host.close());
    const { transport } = await serveTools(definitions);
    const mcp = await createMCPClient({ transport });
    onTestFinished(() => mcp.close());
    const ours = await countWithSdk(createSdkTools(host));
    const theirs = [
      await countWithGraph(await loadMcpTools(name, await connect())),
      await countWithSdk(await mcp.tools()),
    ];
    expect(await countWithGraph(createGraphTools(host))).toBe(ours);
    expect(ours).toBeLessThanOrEqual(1.03 * Math.min(...theirs));
    rows.push([name, host.tools.length, ...theirs, ours]);
  },
);

it("The comparison of adapters has what the lists of tools cost.", () => {
  const said = readFileSync(GUIDE, "utf8").matchAll(/^\| `(.+?)` +\|(.+)\|$/gm);
  const inTheGuide = new Map([...said].map(([, name, cells = ""]) => [name, cells.split("|")]));
  const told = rows.map(([name]) => [
    name,
    ...(inTheGuide.get(String(name)) ?? []).map((cell) => Number(cell.replaceAll(",", ""))),
  ]);
  expect(told).toEqual(rows);
});
