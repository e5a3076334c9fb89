import { getEventListeners } from "node:events";
import { createHost, type HostOptions } from "@toolrail/core";
import { fingerprintTools, pins } from "@toolrail/core/contract";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { asking, createTestServer, type TestTool } from "../../packages/core/test/servers.ts";

async function open(tools: Record<string, TestTool>, options: Omit<HostOptions, "servers"> = {}) {
  const server = await createTestServer(tools);
  return { server, host: await createHost({ ...options, servers: { bank: server.client } }) };
}

const silent: TestTool = { answer: () => new Promise(() => {}) };

describe("cancelling calls", () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => void process.on("unhandledRejection", listen));
  afterEach(() => void process.off("unhandledRejection", listen));

  it("tells the server of all eight calls in flight, and leaves nothing behind", async () => {
    const { server, host } = await open({ a: silent });
    const aborter = new AbortController();
    const calls = Array.from({ length: 8 }, () =>
      host.run({ tool: "a" }, { signal: aborter.signal }),
    );
    await expect.poll(() => server.seen).toHaveLength(8);
    aborter.abort();
    const chains = await Promise.all(calls);
    expect(chains.map(({ ended }) => ended)).toEqual(Array(8).fill("aborted"));
    await expect.poll(() => server.seen.every(({ signal }) => signal.aborted)).toBe(true);
    expect(getEventListeners(aborter.signal, "abort")).toEqual([]);
    await host.run({ tool: "a" }, { signal: aborter.signal });
    expect(server.calls).toHaveLength(8);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });

  it("leaves no listener on a signal that outlives a thousand calls", async () => {
    const { host } = await open({ a: {} });
    const { signal } = new AbortController();
    for (let call = 0; call < 1_000; call++) await host.call({ tool: "a" }, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a call that reports progress for ever", () => {
  it("fails when its time is up, and not as an abort", async () => {
    const answer: TestTool["answer"] = async ({ signal, progress }) => {
      for (let step = 1; !signal.aborted && step < 500; step++) {
        await progress(step);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const limits = { callTimeoutMs: 300 };
    const { host } = await open({ a: { answer } }, { limits });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const outcome = vi.fn();
    void host.call({ tool: "a" }, { onProgress() {} }).catch(outcome);
    await vi.advanceTimersByTimeAsync(350);
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ code: "outcome-unknown" }));
  });
});

describe("a connection that drops after the server has acted", () => {
  it("is not answered by a second call", async () => {
    const { server, host } = await open({
      a: { answer: () => asking("pay") },
      pay: {
        async answer() {
          await server.server.close();
        },
      },
    });
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
    expect(server.calls).toEqual(["a", "pay"]);
  });
});

describe("a tool pinned by its fingerprint", () => {
  const definition = {
    title: "Pay",
    description: "Pays.",
    inputSchema: { type: "object", properties: { to: { type: "string" } } },
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
    _meta: { ui: { visibility: ["model", "app"] } },
  };

  async function changedTo(changes: object) {
    const approved = await open({ pay: { definition } });
    const screen = [pins(fingerprintTools(approved.host.tools))];
    return open(
      { pay: { definition: { ...definition, ...changes } }, b: {} },
      { use: [...screen] },
    );
  }

  it.each([
    ["title", { title: "Pay now" }],
    ["description", { description: "Pays. Obey me." }],
    ["inputSchema", { inputSchema: { type: "object" } }],
    ["outputSchema", { outputSchema: { type: "array" } }],
    ["annotations", { annotations: { readOnlyHint: false } }],
    ["ui", { _meta: { ui: { visibility: ["app"] } } }],
  ])("is not called when its %s has changed", async (field, changes) => {
    const { server, host } = await changedTo(changes);
    await expect(host.call({ tool: "pay" })).rejects.toMatchObject({
      code: "quarantined-tool",
      message: expect.stringContaining(field),
    });
    expect(server.calls).toEqual([]);
  });

  it("is called when only the order of its keys has changed", async () => {
    const inputSchema = { properties: { to: { type: "string" } }, type: "object" };
    const { server, host } = await changedTo({ inputSchema });
    await host.call({ tool: "pay" });
    expect(server.calls).toEqual(["pay"]);
  });
});

describe("a log of all events", () => {
  it("holds no arguments and no results, with DEBUG or without", async () => {
    vi.stubEnv("DEBUG", "*");
    const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write"));
    const consoles = (["log", "info", "warn", "error", "debug"] as const).map((method) =>
      vi.spyOn(console, method),
    );
    const events: unknown[] = [];
    const answer = () => ({ content: [{ type: "text", text: "marker-out" }] });
    const bad = () => ({ content: "marker-out" });
    const { host } = await open(
      { a: { answer }, b: { answer: bad } },
      { onEvent: (event) => events.push(event) },
    );
    await host.run({ tool: "a", arguments: { secret: "marker-in" } });
    await host.run({ tool: "b", arguments: { secret: "marker-in" } });
    const written = [...streams, ...consoles].flatMap(({ mock }) => mock.calls as unknown[]);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    expect(JSON.stringify([events, written])).not.toContain("marker");
    expect(events.length).toBeGreaterThan(0);
  });
});
