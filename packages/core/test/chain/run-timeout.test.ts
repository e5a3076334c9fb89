import type { JsonObject } from "@toolrail/core/json";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHost, type HostOptions, type McpPort } from "../../src/index.ts";
import { askForPin, askingPort } from "../call/asking-port.ts";

const never = () => new Promise<never>(() => {});
const answering: McpPort = {
  list: async () => ({ tools: [{ name: "pay", inputSchema: { type: "object" } }] }),
  call: async () => ({ content: [] }),
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const neverAnswered: [string, Partial<HostOptions>][] = [
  ["a port", { servers: { bank: { ...answering, call: never } } }],
  [
    "`onInputRequest`",
    {
      servers: { bank: askingPort(({ inputResponses }) => inputResponses ?? askForPin()).port },
      onInputRequest: never,
    },
  ],
];

const functions: [string, Partial<HostOptions>][] = [
  ["a policy", { authorize: never }],
  ["an interceptor", { use: [{ name: "wrap", wrapCall: never }] }],
  [
    "`requestMeta`",
    {
      use: [
        {
          name: "request",
          requestMeta: ({ method }) => (method === "tools/call" ? never() : undefined),
        },
      ],
    },
  ],
  ["`onHop`", { use: [{ name: "listener", onHop: never }] }],
  ["a store", { store: { get: never, set: never, delete: never, claim: never } }],
  ...neverAnswered,
];

/** Makes one call as a run and another one alone, and notes how each ends. */
async function callTwice(options: Partial<HostOptions>, signal?: AbortSignal) {
  const limits = { runTimeoutMs: 1_000 };
  const host = await createHost({ servers: { bank: answering }, limits, ...options });
  const [{ id: tool = "" } = {}] = host.tools;
  const how = { conversation: "c1", origin: { by: "model" }, signal } as const;
  const ends: JsonObject[] = [];
  const note = (end: unknown) => void ends.push(end as JsonObject);
  void host.run({ tool }, { ...how, key: "run" }).then(note);
  void host.call({ tool }, { ...how, key: "call" }).then(note, note);
  return ends;
}

describe("limits.runTimeoutMs", () => {
  it.each(neverAnswered)(
    "ends what waits for %s that never answers, in a run and in a call",
    async (_, options) => {
      const ends = await callTwice(options);
      await vi.advanceTimersByTimeAsync(900);
      expect(ends).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(300);
      expect(ends).toHaveLength(2);
      expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    },
  );

  it("and `timeoutMs` count for all calls of a run together", async () => {
    const result = { content: [], _meta: { nextTool: { tool: "mail" } } };
    const slow: McpPort = {
      list: async () => ({
        tools: ["pay", "mail"].map((name) => ({ name, inputSchema: { type: "object" } })),
      }),
      call: () => new Promise((done) => setTimeout(done, 600, result)),
    };
    for (const [limit, timeoutMs] of [
      [1_000, undefined],
      [10_000, 1_000],
    ] as const) {
      const limits = { runTimeoutMs: limit };
      const host = await createHost({ servers: { bank: slow }, limits });
      const running = host.run({ tool: "bank.pay" }, timeoutMs ? { timeoutMs } : {});
      await vi.advanceTimersByTimeAsync(1_100);
      const { hops, error } = await running;
      expect([hops.length, error?.code]).toEqual([1, "outcome-unknown"]);
    }
  });

  it("leaves the outcome unknown of what was sent", async () => {
    const limits = { runTimeoutMs: 1_000 };
    const servers = { bank: { ...answering, call: never } };
    const host = await createHost({ servers, limits });
    const running = host.run({ tool: "bank.pay" });
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await running).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
  });

  it("sends nothing when a policy has taken all the time", async () => {
    const limits = { runTimeoutMs: 1_000 };
    const authorize = () => new Promise<"allow">((done) => setTimeout(done, 1_100, "allow"));
    const call = vi.fn(answering.call);
    const host = await createHost({ servers: { bank: { ...answering, call } }, limits, authorize });
    const running = host.run({ tool: "bank.pay" });
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await running).toMatchObject({ ended: "failed", error: { code: "timeout" } });
    expect(call).not.toHaveBeenCalled();
  });

  it("leaves no timer behind when all is well", async () => {
    const limits = { runTimeoutMs: 1_000 };
    const other = await createHost({ servers: { bank: answering }, limits });
    const before = vi.getTimerCount();
    await other.run({ tool: "bank.pay" });
    await other.call({ tool: "bank.pay" });
    expect(vi.getTimerCount()).toBe(before);
  });
});

describe("an abort", () => {
  it("ends what waits for a parser that never answers, whose call was made", async () => {
    const parser = { "~standard": { version: 1, vendor: "test", validate: never } } as const;
    const call = async () => ({ content: [], structuredContent: { paid: true } });
    const aborter = new AbortController();
    const servers = { bank: { ...answering, call } };
    const host = await createHost({ servers, schemas: { "bank.pay": parser } });
    const running = host.call({ tool: "bank.pay" }, { signal: aborter.signal });
    await vi.advanceTimersByTimeAsync(500);
    aborter.abort();
    expect(await running).toMatchObject({ output: { status: "invalid" } });
  });

  it.each(functions)("ends what waits for %s that never answers", async (_, options) => {
    const aborter = new AbortController();
    const ends = await callTwice(options, aborter.signal);
    await vi.advanceTimersByTimeAsync(500);
    expect(ends).toHaveLength(0);
    aborter.abort();
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
  });
});
