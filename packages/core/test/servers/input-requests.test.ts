import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createHost, type HostOptions, modelView } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";
import { ACCEPTED, PIN_FORM } from "../call/asking-port.ts";

const PIN = z.object({ pin: z.string().min(4) });
const INFO = { name: "test-client", version: "1" };
const elicitation = { form: {} };
const pinned = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** A server of SDK v2 on MCP 2026-07-28 that asks, and the fetch that reaches it. */
function modernServer() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "m", version: "1" });
    const inputSchema = z.object({ amount: z.number() });
    server.registerTool("transfer", { inputSchema }, ({ amount }, { mcpReq }) => {
      const { pin } = mcpReq.inputResponses ?? {};
      if (pin) return { content: [{ type: "text", text: `${amount} ${JSON.stringify(pin)}` }] };
      const asked = inputRequired.elicit({ message: "Your PIN?", requestedSchema: PIN });
      return inputRequired({ inputRequests: { pin: asked }, requestState: "opaque" });
    });
    return server;
  });
  const url = "http://bank.invalid/mcp";
  const fetch = (input: URL | string, init?: RequestInit) =>
    handler.fetch(new Request(input, init));
  return { url, fetch };
}

async function connectV2(capabilities = {}) {
  const { url, fetch } = modernServer();
  const client = new Client(INFO, { ...pinned, capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }));
  return client;
}

/** A server of SDK v1 that asks in the middle of its call, by a request of its own. */
function askingServer(options: { waitMs?: number; times?: number } = {}) {
  const server = new ServerV1({ name: "m", version: "1" }, { capabilities: { tools: {} } });
  const timeout = { timeout: options.waitMs ?? 5_000 };
  const inputSchema = { type: "object" as const };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "transfer", inputSchema }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async () => {
    await server.ping(); // SDK v1 cannot cancel a request with the id 0.
    const requestedSchema = PIN_FORM as never;
    const ask = () => server.elicitInput({ message: "Your PIN?", requestedSchema }, timeout);
    if (options.times) {
      const asked = await Promise.allSettled(Array.from({ length: options.times }, ask));
      const answered = asked.filter(({ status }) => status === "fulfilled").length;
      return { content: [{ type: "text", text: `${answered} answers` }] };
    }
    return { content: [{ type: "text", text: JSON.stringify(await ask()) }] };
  });
  return server;
}

async function connectV1(options: { capabilities?: object; waitMs?: number; times?: number } = {}) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await askingServer(options).connect(theirs);
  const { capabilities = { elicitation } } = options;
  const client = new ClientV1(INFO, { capabilities });
  await client.connect(ours);
  return client;
}

/** The same server, with the client of `@ai-sdk/mcp`. */
async function connectAiSdkV1() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await askingServer().connect(theirs);
  const clientCapabilities = { elicitation: {} };
  return createMCPClient({ transport: ours as never, capabilities: clientCapabilities });
}

async function connectAiSdk() {
  const { url, fetch } = modernServer();
  const transport = { type: "http", url, fetch: fetch as typeof globalThis.fetch } as const;
  return createMCPClient({
    transport,
    capabilities: { elicitation: {} },
    protocolVersionDiscovery: true,
  });
}

async function open(client: McpClientLike, options: Partial<HostOptions> = {}) {
  const host = await createHost({ servers: { bank: client }, ...options });
  onTestFinished(() => host.close());
  const run = () => host.run({ tool: "transfer", arguments: { amount: 5 } });
  return { host, run };
}

const textOf = (chain: Parameters<typeof modelView>[0]) => modelView(chain).content[0]?.text;

describe("a server on MCP 2026-07-28 that asks the user", () => {
  it.each([
    ["SDK v2, which declares nothing", () => connectV2()],
    ["SDK v2, which declares elicitation", () => connectV2({ elicitation })],
    ["@ai-sdk/mcp", connectAiSdk],
  ])("is answered by onInputRequest over %s", async (_, connect) => {
    const { run } = await open(await connect(), { onInputRequest: () => ACCEPTED });
    const done = await run();
    expect(done.ended).toBe("complete");
    expect(textOf(done)).toBe('5 {"action":"accept","content":{"pin":"1234"}}');
  });

  it("is answered by the application's own handler if its client has one", async () => {
    const client = await connectV2({ elicitation });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { pin: "own!" },
    }));
    const { run } = await open(client);
    expect(textOf(await run())).toContain("own!");
  });

  it("gets no answer if the host has no onInputRequest, and the call fails", async () => {
    const { run } = await open(await connectV2());
    expect(await run()).toMatchObject({ ended: "failed", error: { code: "needs-input" } });
  });
});

describe("a server before MCP 2026-07-28 that asks the user", () => {
  it("is answered by onInputRequest, which receives the server and no call", async () => {
    const asked: unknown[] = [];
    const { run } = await open(await connectV1(), {
      onInputRequest({ server, call, message }) {
        asked.push([server, call, message]);
        return ACCEPTED;
      },
    });
    expect(textOf(await run())).toBe('{"action":"accept","content":{"pin":"1234"}}');
    expect(asked).toEqual([["bank", undefined, "Your PIN?"]]);
  });

  it("learns that nobody can be asked if the host has no onInputRequest", async () => {
    const { run } = await open(await connectV1());
    expect(await run()).toMatchObject({
      ended: "failed",
      error: { code: "protocol", message: expect.stringContaining("onInputRequest") },
    });
  });

  it("asks ten times in a call at most, and one question after another", async () => {
    let [asked, atOnce, mostAtOnce] = [0, 0, 0];
    const { run } = await open(await connectV1({ times: 200 }), {
      async onInputRequest() {
        [asked, atOnce] = [asked + 1, atOnce + 1];
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        await new Promise((done) => setTimeout(done, 1));
        atOnce--;
        return ACCEPTED;
      },
    });
    expect(textOf(await run())).toBe("10 answers");
    expect([asked, mostAtOnce]).toEqual([10, 1]);
    expect(textOf(await run())).toBe("10 answers");
  });

  it("may not ask while none of its tools is called", async () => {
    const server = askingServer();
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    const client = new ClientV1(INFO, { capabilities: { elicitation } });
    await client.connect(ours);
    const onInputRequest = vi.fn(() => ACCEPTED);
    await open(client, { onInputRequest });
    await server.ping();
    const asked = server.elicitInput({ message: "?", requestedSchema: PIN_FORM as never });
    await expect(asked).rejects.toThrow(/only while/);
    expect(onInputRequest).not.toHaveBeenCalled();
  });

  it("may not ask a client that does not declare it", async () => {
    const onInputRequest = () => ACCEPTED;
    const { run } = await open(await connectV1({ capabilities: {} }), { onInputRequest });
    expect((await run()).error?.message).toContain("does not support");
  });

  it.each([
    ["is answered if it may ask", { elicitation }, "1234"],
    ["may not ask", {}, "does not support"],
  ])("%s over a client that hides what it declares", async (_, capabilities, text) => {
    const client = await connectV1({ capabilities });
    const hiding = new Proxy(client, {
      get(target, name) {
        const member = name === "_capabilities" ? undefined : Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const { run } = await open(hiding, { onInputRequest: () => ACCEPTED });
    const done = await run();
    expect(done.error?.message ?? textOf(done)).toContain(text);
  });

  it("is not told what an exception of the application says", async () => {
    const onInputRequest = () => Promise.reject(new Error("secret"));
    const { run } = await open(await connectV1(), { onInputRequest });
    const { error } = await run();
    expect(error?.message).toContain("callback threw");
    expect(error?.message).not.toContain("secret");
  });

  it("is not waited for when the server has given up", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { run } = await open(await connectV1({ waitMs: 50 }), {
      onInputRequest({ signal }) {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    expect((await run()).error?.message).toContain("timed out");
    await vi.waitFor(() => expect(signals.map((signal) => signal?.aborted)).toEqual([true]));
  });

  it("is answered by the application's own handler if its client has one", async () => {
    const client = await connectV1();
    const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "cancel" }));
    const { run } = await open(client, { onInputRequest: () => ACCEPTED });
    expect(textOf(await run())).toBe('{"action":"cancel"}');
  });

  describe.each([
    ["SDK v1", () => connectV1()],
    ["@ai-sdk/mcp", connectAiSdkV1],
  ])("over a client of %s that several hosts share", (_, connect) => {
    async function share() {
      const client = await connect();
      const asked: string[] = [];
      const openFor = (user: string) =>
        open({ client, shared: true } as never, {
          onInputRequest() {
            asked.push(user);
            return ACCEPTED;
          },
        });
      return { asked, ada: await openFor("ada"), bob: await openFor("bob") };
    }

    it("is answered by the host that makes the call, and by no other", async () => {
      const { asked, ada, bob } = await share();
      expect(textOf(await ada.run())).toContain("1234");
      expect(textOf(await bob.run())).toContain("1234");
      expect(asked).toEqual(["ada", "bob"]);
    });

    it("gets no answer while several of them make calls, since it does not say for which it asks", async () => {
      const { asked, ada, bob } = await share();
      const ended = await Promise.all([ada.run(), bob.run()]);
      expect(ended[0]?.error?.message).toContain("Several hosts");
      expect(asked).toEqual([]);
    });
  });
});
