import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createTools as createSdkTools } from "@toolrail/ai-sdk";
import { createHost, type Hop, type Host, modelView } from "@toolrail/core";
import { partText, toModelParts } from "@toolrail/core/adapter";
import { type JsonObject, providerSchema } from "@toolrail/core/json";
import { createTools as createGraphTools } from "@toolrail/langgraph";
import { expect, it, onTestFinished } from "vitest";
import { countUsage } from "../../examples/offline-model/src/usage.ts";

// Servers that others wrote, from npm.
const require = createRequire(import.meta.url);
const cli = createRequire(new URL("../../packages/cli/package.json", import.meta.url));
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const folder = await realpath(await mkdtemp(join(tmpdir(), "toolrail-")));
const page = join(folder, "page.md");
const picture = join(folder, "dot.png");
await writeFile(page, '# Rails\n\nA "rail" is laid once.\n'.repeat(200));
await writeFile(picture, Buffer.from(PICTURE, "base64"));

type Call = readonly [tool: string, args: JsonObject];

const entities = Array.from({ length: 20 }, (_, at) => {
  return { name: `town-${at}`, entityType: "town", observations: [`has ${at} platforms`] };
});
const SERVERS: Record<string, { args?: string[]; calls: readonly Call[] }> = {
  filesystem: {
    args: [folder],
    calls: [
      ["read_text_file", { path: page }],
      ["read_multiple_files", { paths: [page] }],
      ["read_media_file", { path: picture }],
      ["list_directory", { path: folder }],
      ["directory_tree", { path: folder }],
      ["get_file_info", { path: page }],
      ["write_file", { path: join(folder, "new.md"), content: "new" }],
    ],
  },
  memory: {
    calls: [
      ["create_entities", { entities }],
      ["read_graph", {}],
      ["search_nodes", { query: "town-1" }],
      ["open_nodes", { names: ["town-2"] }],
    ],
  },
  everything: {
    calls: [
      ["get-structured-content", { location: "New York" }],
      ["get-annotated-message", { messageType: "success", includeImage: true }],
      ["get-resource-links", { count: 2 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["get-tiny-image", {}],
    ],
  },
  "sequential-thinking": {
    calls: [
      [
        "sequentialthinking",
        { thought: "Lay a rail.", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
      ],
    ],
  },
};

function programOf(name: string): string {
  if (name === "playwright")
    return join(require.resolve("@playwright/mcp/package.json"), "../cli.js");
  const manifest =
    name === "sequential-thinking"
      ? require.resolve("@modelcontextprotocol/server-sequential-thinking/package.json")
      : cli.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(manifest, "../dist/index.js");
}

async function openHost(name: string, args: readonly string[] = []) {
  const program = programOf(name);
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { MEMORY_FILE_PATH: join(folder, `${crypto.randomUUID()}.json`) };
  const command = { command: process.execPath, args: [program, ...args], env };
  await client.connect(new StdioClientTransport({ ...command, stderr: "ignore" }));
  const hops: Hop[] = [];
  const onHop = ({ hop }: { readonly hop: Hop }) => void hops.push(hop);
  const host = await createHost({
    servers: { [name]: client },
    use: [{ name: "listener", onHop }],
  });
  onTestFinished(() => host.close());
  return { host, hops };
}

/** What a model reads of a call, as text, by each way to make it. */
const ways: Record<string, (host: Host, call: Call) => Promise<string>> = {
  async core(host, [tool, args]) {
    const chain = await host.run({ tool, arguments: args });
    return toModelParts(modelView(chain).content).map(partText).join("\n");
  },
  async "ai-sdk"(host, [name, args]) {
    const tool = createSdkTools(host)[name];
    const options = { toolCallId: "1", messages: [] };
    const output = await tool?.execute(args, options);
    return output ? textIn(tool?.toModelOutput({ output }).value) : "";
  },
  async langgraph(host, [name, args]) {
    const tool = createGraphTools(host).find((one) => one.name === name);
    const message = await tool?.invoke({ type: "tool_call", id: "1", name, args });
    return textIn(message?.content);
  },
};

/** The text of a message, and all that is in it but the data of media. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { type: string; text?: string }[]).map(({ text = "" }) => text).join("\n");
}

function count(text: string): number {
  const request = { messages: [], tools: [], toolsAsSent: undefined, stream: false };
  return countUsage(request, { text }).completionTokens;
}

const cases = Object.keys(SERVERS).flatMap((server) =>
  Object.keys(ways).map((way) => [server, way] as const),
);

/** What the calls came to, for the table beside this file. */
const rows: string[][] = [];

it.each(cases)("A model reads once what server-%s says, by way of %s.", async (server, way) => {
  const { args, calls } = SERVERS[server] ?? { calls: [] };
  const { host, hops } = await openHost(server, args);
  for (const call of calls) {
    const read = (await ways[way]?.(host, call)) ?? "";
    const { structuredContent: value, ...rest } = hops.at(-1)?.result ?? { content: [] };
    const text = toModelParts(modelView(rest).content).map(partText).join("\n");
    const forms = value === undefined ? [text] : [text, JSON.stringify(value)];
    const [tool] = call;
    const smaller = Math.min(...forms.map(count));
    const ratio = (tokens: number, digits: number) => (tokens / smaller).toFixed(digits);
    const sent = forms.map(count).reduce((sum, tokens) => sum + tokens, 0);
    const row = [server, tool, ratio(sent, 0), ratio(count(read), 1)];
    if (way === "core") rows.push(row);
    expect(count(read), tool).toBeLessThanOrEqual(smaller * 1.05);
    expect(read).not.toContain(PICTURE);
  }
});

it("What was sent and what is read, in tokens of the smaller form, is what the table says.", async () => {
  const head = ["server", "tool", "text and JSON as sent", "what a model reads"];
  await expect(toTable([head, ...rows])).toMatchFileSnapshot("tokens.md");
});

/** A table of Markdown, with cells of one width as the formatter has them. */
function toTable(cells: readonly (readonly string[])[]): string {
  const [head = [], ...body] = cells;
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = widths.map((width) => "-".repeat(width));
  const toLine = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [head, line, ...body].map(toLine).join("");
}

const lists = [...Object.keys(SERVERS), "playwright"];

it.each(lists)("All tools of server-%s are listed and offered in each way.", async (server) => {
  const { host } = await openHost(server, SERVERS[server]?.args);
  const problems = server === "everything" ? ["task-required"] : [];
  expect(host.problems.map(({ code }) => code)).toEqual(problems);
  const names = host.tools.map(({ modelName }) => modelName);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(createSdkTools(host))).toEqual(names);
  expect(createGraphTools(host).map(({ name }) => name)).toEqual(names);
  for (const { inputSchema } of host.tools) {
    const shown = JSON.stringify(providerSchema(inputSchema));
    expect(count(shown)).toBeLessThanOrEqual(count(JSON.stringify(inputSchema)) * 1.05);
  }
});
