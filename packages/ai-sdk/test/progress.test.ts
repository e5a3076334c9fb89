import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHost, type McpPort } from "@toolrail/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, type ToolOutput, withChaining } from "../src/index.ts";
import { type Major, majors, scriptModel } from "./majors.ts";

/** A server that tells of its progress and takes a moment between. */
async function connectServer(message: string) {
  const server = new Server({ name: "m", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "work", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    for (const progress of [1, 2]) {
      const progressToken = params._meta?.progressToken ?? "";
      const told = { progressToken, progress, total: 2, message };
      await sendNotification({ method: "notifications/progress", params: told });
      await new Promise((done) => setTimeout(done, 20));
    }
    return { content: [{ type: "text", text: "worked" }] };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return ours;
}

const CLIENTS = {
  "SDK v1": async (transport: InMemoryTransport) => {
    const client = new Client({ name: "test-client", version: "1" });
    await client.connect(transport);
    return client;
  },
};

async function outputsOf(major: Major, { client, message, chains }: Way) {
  const transport = await connectServer(message ?? "half");
  const host = await createHost({ servers: { own: await CLIENTS[client](transport) } });
  onTestFinished(() => host.close());
  const { model } = scriptModel(major, [{ tool: "work" }], ["final"]);
  const own = { model, prompt: "hi", tools: createTools(host) };
  const settings = chains ? withChaining(host, { model, prompt: "hi" }) : own;
  const stopWhen = major.sdk.stepCountIs(5);
  const result = major.sdk.streamText({ stopWhen, ...settings } as never);
  const outputs: { output: Record<string, unknown>; preliminary?: boolean }[] = [];
  for await (const part of result.toUIMessageStream()) {
    if (part.type === "tool-output-available") outputs.push(part as never);
  }
  return outputs;
}

interface Way {
  readonly client: keyof typeof CLIENTS;
  readonly chains: boolean;
  readonly message?: string;
}

const WAYS: readonly Way[] = [
  { client: "SDK v1", chains: true },
  { client: "SDK v1", chains: false },
];

it("A page that reads slowly gets each finished call, one report of progress and the result.", async () => {
  const port: McpPort = {
    list: async () => ({
      tools: ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    async call({ name }, { onProgress }) {
      for (const progress of [1, 2, 3]) onProgress?.({ progress });
      return name === "c" ? { content: [] } : asking(name === "a" ? "b" : "c");
    },
  };
  const host = await createHost({ servers: { own: port } });
  onTestFinished(() => host.close());
  const ended: unknown[] = [];
  const tools = createTools(host, { onResult: (result) => void ended.push(result) });
  const options = { toolCallId: "1", messages: [] };
  const outputs = tools.a?.execute?.({} as never, options as never);
  const seen: unknown[] = [];
  for await (const { hops, progress } of outputs as AsyncIterable<ToolOutput>) {
    await expect.poll(() => ended).toHaveLength(1);
    seen.push(progress ? "progress" : hops.length);
  }
  expect(seen).toEqual(["progress", 1, 2, 3]);
});

describe.each(majors)("the progress of a call in a stream of $name", (major) => {
  it.each(WAYS)("reaches the page over $client, with chaining $chains", async (way) => {
    const outputs = await outputsOf(major, way);
    const told = outputs.flatMap(({ output }) => output.progress ?? []);
    expect(told).toEqual([
      { progress: 1, total: 2, message: "half" },
      { progress: 2, total: 2, message: "half" },
    ]);
    const last = outputs.at(-1);
    expect(last?.preliminary).toBeUndefined();
    expect(last?.output).toMatchObject({ content: [{ text: "worked" }] });
    expect(last?.output).not.toHaveProperty("progress");
  });

  it("is shown without characters that hide, and shortened", async () => {
    const message = `\u202eevil${"x".repeat(5_000)}`;
    const [first] = await outputsOf(major, { client: "SDK v1", chains: true, message });
    expect(first?.output.progress).toMatchObject({
      message: expect.stringMatching(/^\\u202eevilx{900,1000}$/),
    });
  });
});
