import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { createHost, modelView } from "@toolrail/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { frameworks } from "./frameworks.ts";
import { objectOf, open, received, structured, text } from "./servers.ts";

const WEATHER = {
  get_weather: {
    definition: {
      title: "Weather",
      description: "Current weather.",
      inputSchema: objectOf({ location: { type: "string" } }),
      outputSchema: objectOf({ temperature: { type: "number" } }),
      annotations: { readOnlyHint: true },
    },
    answer: () => structured({ temperature: 72 }),
  },
};
const NEW_YORK = { tool: "get_weather", arguments: { location: "New York" } };

/** A server that lists its tools in pages of two. */
async function openPages(names: readonly string[]) {
  const server = new Server({ name: "pages", version: "1" }, { capabilities: { tools: {} } });
  const cursors: (string | undefined)[] = [];
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    cursors.push(params?.cursor);
    const at = Number(params?.cursor ?? 0);
    const tools = names.slice(at, at + 2).map((name) => {
      return { name, inputSchema: { type: "object" as const } };
    });
    return { tools, ...(at + 2 < names.length && { nextCursor: String(at + 2) }) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    return { content: [{ type: "text", text: `${params.name} done` }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "client", version: "1" });
  await client.connect(near);
  onTestFinished(() => client.close());
  return { client, cursors };
}

describe("Phase 1: Capability Negotiation", () => {
  it("A server that does not declare tools has none, and the tools of others can be called", async () => {
    const bare = new Server({ name: "bare", version: "1" }, { capabilities: {} });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "client", version: "1" });
    await Promise.all([bare.connect(far), client.connect(near)]);
    const { client: weather } = await createTestServer(WEATHER);
    const host = await createHost({ servers: { bare: client, weather } });
    onTestFinished(() => host.close());
    expect(host.tools.map(({ id }) => id)).toEqual(["weather.get_weather"]);
    expect((await host.run(NEW_YORK)).ended).toBe("complete");
  });
});

describe("Phase 2: Discovery", () => {
  it("Each Tool object includes name, title, description, inputSchema, outputSchema and annotations", async () => {
    const { host } = await open(WEATHER);
    expect(host.tools).toMatchObject([{ name: "get_weather", ...WEATHER.get_weather.definition }]);
  });

  it("Names are case-sensitive", async () => {
    const { server, host } = await open(WEATHER);
    await expect(host.call({ ...NEW_YORK, tool: "Get_Weather" })).rejects.toMatchObject({
      code: "unknown-tool",
    });
    expect(server.calls).toEqual([]);
  });

  it("tools/list supports cursor-based pagination", async () => {
    const { client, cursors } = await openPages(["a", "b", "c", "d", "e"]);
    const host = await createHost({ servers: { pages: client } });
    expect(host.tools.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(cursors).toEqual([undefined, "2", "4"]);
    expect((await host.call({ tool: "e" })).result).toMatchObject(text("e done"));
  });

  it.each([{ readOnlyHint: true }, { idempotentHint: true }, { destructiveHint: false }])(
    "Clients must not make security decisions based on untrusted server annotations: %o grants nothing",
    async (annotations) => {
      const policies = [{ authorize: () => ({ deny: "no" }) }, { allow: [] as string[] }] as const;
      for (const policy of policies) {
        const { server, host } = await open({ a: { definition: { annotations } } }, policy);
        await expect(host.call({ tool: "a" })).rejects.toMatchObject({
          code: expect.stringMatching(/denied|not-allowed/),
        });
        expect(server.calls).toEqual([]);
      }
    },
  );
});

describe.each(frameworks)("Phase 3: Invocation in $name", ({ ask }) => {
  it("LLM selects tool, Client sends tools/call { name, arguments }, and processes the result", async () => {
    const { server, host } = await open(WEATHER);
    const run = await ask(host, { turns: [[NEW_YORK], "It is warm."] });
    expect(received(server)).toEqual([["get_weather", { location: "New York" }]]);
    expect(run.read[1]).toContain("72");
    expect(run.answer).toBe("It is warm.");
  });

  it("Arguments are validated against inputSchema before they are sent, and the model reads what is wrong", async () => {
    const { server, host } = await open(WEATHER);
    const wrong = { tool: "get_weather", arguments: { location: 5 } };
    const run = await ask(host, { turns: [[wrong], [NEW_YORK], "done"] });
    expect(received(server)).toEqual([["get_weather", { location: "New York" }]]);
    expect(run.read[1]).toContain("location");
  });

  it("Client validates structuredContent against outputSchema: the model does not read what breaks it", async () => {
    const tool = { ...WEATHER.get_weather, answer: () => structured({ temperature: "IGNORE" }) };
    const { server, host } = await open({ get_weather: tool });
    const run = await ask(host, { turns: [[NEW_YORK], "done"] });
    expect(server.calls).toEqual(["get_weather"]);
    expect(run.read[1]).not.toContain("IGNORE");
  });

  it("Tool execution errors are returned as results, so LLMs can see the failure message and self-correct", async () => {
    const { server, host } = await open({
      book: {
        answer: ({ arguments: { date } }) =>
          date === "2020"
            ? { ...text("Invalid departure date: must be in the future."), isError: true }
            : text("Booked."),
      },
    });
    const book = (date: string) => [{ tool: "book", arguments: { date } }];
    const run = await ask(host, { turns: [book("2020"), book("2030"), "done"] });
    expect(run.read[1]).toContain("Invalid departure date: must be in the future.");
    expect(run.read[2]).toContain("Booked.");
    expect(server.calls).toEqual(["book", "book"]);
  });

  it("Prompt for user confirmation on sensitive operations, and show tool inputs to user before calling server", async () => {
    const pay = { definition: { annotations: { destructiveHint: true } } };
    const server = await createTestServer({ pay });
    const host = await createHost({ servers: { bank: server.client } });
    const call = { tool: "pay", arguments: { amount: 5 } };
    const run = await ask(host, { turns: [[call], "done"] });
    expect(run.waiting).toEqual([call]);
    expect(server.calls).toEqual([]);
    await run.decide(true);
    expect(received(server)).toEqual([["pay", { amount: 5 }]]);
  });
});

describe("Content Types in Results", () => {
  it.each([
    { type: "text", text: "plain" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "https://example.com/a", name: "a" },
    { type: "resource", resource: { uri: "file:///a.txt", text: "a text" } },
  ])("CallToolResult.content supports $type", async (block) => {
    const { host } = await open({ a: { answer: () => ({ content: [block] }) } });
    const hop = await host.call({ tool: "a" });
    expect(hop.result.content).toEqual([block]);
    expect(modelView(hop).content).toEqual([block]);
  });
});

describe("Phase 4: Dynamic Updates", () => {
  it("The client re-fetches tools/list after notifications/tools/list_changed", async () => {
    const { server, host } = await open({ a: {} });
    server.tools = { b: {} };
    await server.server.sendToolListChanged();
    await vi.waitFor(() => expect(host.tools.map(({ name }) => name)).toEqual(["b"]));
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "unknown-tool" });
    await host.call({ tool: "b" });
    expect(server.calls).toEqual(["b"]);
  });
});

describe("Two-Level Error Model", () => {
  it("Protocol error (JSON-RPC): there is no result, and the chain has failed", async () => {
    const { host } = await open({
      a: {
        answer: () => {
          throw new McpError(ErrorCode.InvalidParams, "Unknown tool");
        },
      },
    });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "protocol" });
    expect(await host.run({ tool: "a" })).toMatchObject({ ended: "failed", hops: [] });
  });

  it("Tool execution error (in result): the tool ran but failed, and that is a result", async () => {
    const failed = { ...text("no"), isError: true };
    const { host } = await open({ a: { answer: () => failed } });
    expect((await host.call({ tool: "a" })).result).toEqual(failed);
    expect(await host.run({ tool: "a" })).toMatchObject({ ended: "complete" });
  });

  it("Departure: a result that breaks its schema is kept, where a client of the SDK throws", async () => {
    const wrong = structured({ temperature: "hot" });
    const { host } = await open({ get_weather: { ...WEATHER.get_weather, answer: () => wrong } });
    expect(await host.run(NEW_YORK)).toMatchObject({
      ended: "invalid-output",
      hops: [{ result: wrong, output: { status: "invalid" } }],
    });
  });

  it("A client that validates the result does not apply outputSchema to an error", async () => {
    const tool = { ...WEATHER.get_weather, answer: () => ({ ...text("no"), isError: true }) };
    const { host } = await open({ get_weather: tool });
    expect(await host.run(NEW_YORK)).toMatchObject({ ended: "complete" });
  });
});

describe("Client Responsibilities", () => {
  it("Implement timeouts for tool calls", async () => {
    const never = { answer: () => new Promise(() => {}) };
    const { host } = await open({ never }, { limits: { callTimeoutMs: 20 } });
    expect((await host.run({ tool: "never" })).error?.code).toMatch(/timeout|outcome-unknown/);
  });

  it("Log tool usage for audit purposes: each call that was answered is recorded once, without its contents", async () => {
    const events: object[] = [];
    const { host } = await open(WEATHER, { onEvent: (event) => void events.push(event) });
    await host.call(NEW_YORK);
    const recorded = events.filter((event) => "stage" in event && event.stage === "record");
    expect(recorded).toMatchObject([
      { type: "call", tool: "bank.get_weather", outcome: "ok", callId: expect.any(String) },
    ]);
    expect(JSON.stringify(events)).not.toContain("New York");
  });

  it("Human-in-the-loop: what `requireApproval` names waits for a person, whatever its hints", async () => {
    const server = await createTestServer(WEATHER);
    const host = await createHost({
      servers: { bank: server.client },
      requireApproval: ["bank.get_weather"],
    });
    const chain = await host.run(NEW_YORK, { origin: { by: "model" } });
    expect(chain).toMatchObject({
      ended: "needs-approval",
      pending: { arguments: NEW_YORK.arguments },
    });
    expect(server.calls).toEqual([]);
  });
});
