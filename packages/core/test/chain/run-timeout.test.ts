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

const waits: [string, Partial<HostOptions>][] = [
  ["a port", { servers: { bank: { ...answering, call: never } } }],
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
  [
    "`onInputRequest`",
    {
      servers: { bank: askingPort(({ inputResponses }) => inputResponses ?? askForPin()).port },
      onInputRequest: never,
    },
  ],
];

describe("limits.runTimeoutMs", () => {
  it.each(waits)(
    "ends what waits for %s that never answers, in a run and in a call",
    async (_, options) => {
      const host = await createHost({
        servers: { bank: answering },
        limits: { runTimeoutMs: 1_000 },
        ...options,
      });
      const [{ id: tool = "" } = {}] = host.tools;
      const how = { conversation: "c1", origin: { by: "model" } } as const;
      const ends: JsonObject[] = [];
      const note = (end: unknown) => void ends.push(end as JsonObject);
      void host.run({ tool }, { ...how, key: "run" }).then(note);
      void host.call({ tool }, { ...how, key: "call" }).then(note, note);
      await vi.advanceTimersByTimeAsync(900);
      expect(ends).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(300);
      expect(ends).toHaveLength(2);
      expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    },
  );

  it.each([
    ["is a timeout if nothing was sent", "timeout", { authorize: never }],
    [
      "leaves the outcome unknown of what was sent",
      "outcome-unknown",
      { servers: { bank: { ...answering, call: never } } },
    ],
    [
      "leaves the outcome unknown of what a plugin holds back after it was sent",
      "outcome-unknown",
      { use: [{ name: "slow", wrapCall: (call, next) => next(call).then(never) }] },
    ],
  ] satisfies [string, string, Partial<HostOptions>][])("%s", async (_, code, options) => {
    const limits = { runTimeoutMs: 1_000 };
    const host = await createHost({ servers: { bank: answering }, limits, ...options });
    const running = host.run({ tool: "bank.pay" });
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await running).toMatchObject({ ended: "failed", error: { code } });
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
