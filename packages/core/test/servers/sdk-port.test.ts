import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHost, type HostEvent, type HostOptions } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";
import { type ClientLibrary, clientLibraries } from "../clients.ts";
import { type ServedTools, serveTools, type TestTool } from "../servers.ts";

interface Opened {
  readonly served: ServedTools;
  readonly client: McpClientLike;
}

describe.each(clientLibraries)("over $name", (library) => {
  it("lists tools with their schemas", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number", minimum: 1 } } };
    const { host } = await open(library, { a: { definition: { inputSchema } }, b: {} });
    expect(host.tools.map(({ id }) => id)).toEqual(["bank.a", "bank.b"]);
    expect(host.find("a").inputSchema).toEqual(inputSchema);
  });

  it("calls with arguments and the application's request _meta", async () => {
    const { host, served } = await open(
      library,
      { a: {} },
      { use: [{ name: "request", requestMeta: () => ({ user: "u1" }) }] },
    );
    const hop = await host.call({ tool: "a", arguments: { n: [1, null, { x: "é" }] } });
    expect(hop.result.content).toEqual([{ type: "text", text: "a done" }]);
    expect(served.seen[0]?.arguments).toEqual({ n: [1, null, { x: "é" }] });
    expect(served.seen[0]?._meta).toMatchObject({ user: "u1" });
  });

  it("gets a result with _meta alone whole", async () => {
    const _meta = { widget: { kind: "picker" }, nextTool: { tool: "b" } };
    const { host } = await open(library, { a: { answer: () => ({ content: [], _meta }) } });
    const hop = await host.call({ tool: "a" });
    expect(hop.result).toMatchObject({ content: [], _meta });
    expect(hop.output).toEqual({ status: "unchecked" });
  });

  it("gets a result that breaks its output schema whole, errors too", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const structuredContent = { n: "one", more: true };
    const { host } = await open(library, {
      a: { definition: { outputSchema }, answer: () => ({ content: [], structuredContent }) },
      b: {
        definition: { outputSchema },
        answer: () => ({ content: [], structuredContent, isError: true }),
      },
    });
    const [a, b] = [await host.call({ tool: "a" }), await host.call({ tool: "b" })];
    expect(a.result.structuredContent).toEqual(structuredContent);
    expect(a.output).toMatchObject({ status: "invalid" });
    expect(b.result).toMatchObject({ isError: true, structuredContent });
    expect(b.output).toEqual({ status: "unchecked" });
  });

  it("gets blocks of an unknown type", async () => {
    const content = [{ type: "hologram", data: { x: 1 } }];
    const { host } = await open(library, { a: { answer: () => ({ content }) } });
    expect((await host.call({ tool: "a" })).result.content).toEqual(content);
  });

  it("refuses an interim result", async () => {
    const answer = () => ({ resultType: "input_required", inputRequests: {}, content: [] });
    const { host } = await open(library, { a: { answer } });
    const error = await host.call({ tool: "a" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: expect.stringMatching(/malformed-result|outcome-unknown/),
    });
  });

  it("Departure: reads an interim result as a result if its client drops all that says so", async () => {
    const answer = () => ({ resultType: "input_required", content: [] });
    const { host } = await open(library, { a: { answer } });
    const { ended } = await host.run({ tool: "a" });
    expect(ended).toBe(library.name === "@modelcontextprotocol/client 2" ? "complete" : "failed");
  });

  it("tells an abort from a call whose time is up and whose outcome is unknown", async () => {
    const { host } = await open(library, { a: { answer: () => new Promise(() => {}) } });
    const late = host.call({ tool: "a" }, { timeoutMs: 30 });
    await expect(late).rejects.toMatchObject({ code: "outcome-unknown" });
    const aborter = new AbortController();
    const aborted = host.call({ tool: "a" }, { signal: aborter.signal });
    aborter.abort(new Error("enough"));
    await expect(aborted).rejects.toMatchObject({
      code: "aborted",
      cause: expect.objectContaining({ message: "enough" }),
    });
  });

  it("ends a list that is never sent when its time is up", async () => {
    const { host, served } = await open(library, { a: {} }, { limits: { callTimeoutMs: 40 } });
    Object.assign(served.server.transport ?? {}, { onmessage() {} });
    await host.refresh("bank");
    expect(host.problems).toMatchObject([{ server: "bank", code: "list-failed" }]);
    expect(host.tools).toHaveLength(1);
  });

  it("gives a protocol error with its code, even if it looks like one of the client's", async () => {
    for (const code of [-32603, -32001, -32000, 42]) {
      const refuse = () => {
        throw Object.assign(new Error("out of order"), { code });
      };
      const { host } = await open(library, { a: { answer: refuse } });
      await expect(host.call({ tool: "a" })).rejects.toMatchObject({
        code: "protocol",
        message: expect.stringContaining("out of order"),
        data: { code },
      });
    }
  });

  it("says that the connection is lost and what that leaves open", async () => {
    const { host, served } = await open(library, { a: { answer: () => new Promise(() => {}) } });
    const lost = host.call({ tool: "a" });
    await expect.poll(() => served.calls).toEqual(["a"]);
    await served.server.close();
    await expect(lost).rejects.toMatchObject({
      code: "outcome-unknown",
      message: expect.stringMatching(/outcome is unknown.*find out first whether it took effect/),
    });
  });

  it("closes the client with the host, unless it is shared", async () => {
    const { host } = await open(library, { a: {} });
    await host.close();
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "aborted" });
    const { served, client } = await connect(library, { a: {} });
    const first = await createHost({ servers: { bank: { client, shared: true } } });
    await first.close();
    const second = await createHost({ servers: { bank: { client, shared: true } } });
    await second.call({ tool: "a" });
    expect(served.calls).toEqual(["a"]);
    await client.close?.();
  });
});

describe.each(clientLibraries.filter(({ notifies }) => notifies))("over $name", (library) => {
  it("tells the server that a call was aborted, or took too long", async () => {
    const { host, served } = await open(library, { a: { answer: () => new Promise(() => {}) } });
    const aborter = new AbortController();
    const calls = Promise.allSettled([
      host.call({ tool: "a" }, { signal: aborter.signal }),
      host.call({ tool: "a" }, { timeoutMs: 30 }),
    ]);
    await expect.poll(() => served.calls).toHaveLength(2);
    aborter.abort();
    await calls;
    await expect.poll(() => served.seen.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it("asks for progress only if somebody listens to it", async () => {
    const { host, served } = await open(library, { a: {} });
    await host.call({ tool: "a" });
    await host.call({ tool: "a" }, { onProgress() {} });
    const asked = served.seen.map(({ _meta }) => _meta?.progressToken !== undefined);
    expect(asked).toEqual([false, true]);
  });

  it("ends a call when its time is up, whatever progress it reports", async () => {
    const answer: TestTool["answer"] = async ({ signal, progress }) => {
      for (let step = 1; !signal.aborted; step++) {
        await progress(step);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const limits = { callTimeoutMs: 300 };
    const { host } = await open(library, { a: { answer } }, { limits });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const outcome = vi.fn();
    void host.call({ tool: "a" }, { onProgress() {} }).catch(outcome);
    await vi.advanceTimersByTimeAsync(290);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ code: "outcome-unknown" }));
  });

  it("reads the tools again when they have changed", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => events.push(event);
    const { host, served } = await open(library, { a: {} }, { onEvent });
    served.tools = { b: {} };
    await served.server.sendToolListChanged();
    await expect.poll(() => host.tools.map(({ name }) => name)).toEqual(["b"]);
    expect(events).toContainEqual(expect.objectContaining({ type: "tools-changed" }));
  });

  it("keeps calling the application's own listener, also when the host is closed", async () => {
    const { served, client } = await connect(library, { a: {} });
    let told = 0;
    listenTo(client, () => {
      told++;
    });
    const host = await createHost({ servers: { bank: { client, shared: true } } });
    await served.server.sendToolListChanged();
    await expect.poll(() => told).toBe(1);
    await host.close();
    await served.server.sendToolListChanged();
    await expect.poll(() => told).toBe(2);
    await client.close?.();
  });

  it("leaves no listener behind on a shared client", async () => {
    const { client } = await connect(library, { a: {} });
    const handlers = (client as unknown as { _notificationHandlers: Map<string, unknown> })
      ._notificationHandlers;
    const before = [...handlers.keys()];
    for (let hosts = 0; hosts < 3; hosts++) {
      const host = await createHost({ servers: { bank: { client, shared: true } } });
      await host.close();
    }
    expect([...handlers.keys()]).toEqual(before);
    await client.close?.();
  });
});

async function connect(library: ClientLibrary, tools: Record<string, TestTool>): Promise<Opened> {
  const served = await serveTools(tools);
  return { served, client: await library.connect(served.transport) };
}

async function open(
  library: ClientLibrary,
  tools: Record<string, TestTool>,
  options: Omit<HostOptions, "servers"> = {},
) {
  const { served, client } = await connect(library, tools);
  const host = await createHost({ ...options, servers: { bank: client } });
  onTestFinished(() => host.close());
  return { served, host };
}

function listenTo(client: McpClientLike, listener: () => void): void {
  const method = "notifications/tools/list_changed";
  const { setNotificationHandler } = client as unknown as {
    setNotificationHandler(key: unknown, handler: () => void): void;
  };
  const key = "getProtocolEra" in client ? method : ToolListChangedNotificationSchema;
  setNotificationHandler.call(client, key, listener);
}
