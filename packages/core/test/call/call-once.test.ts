import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.ts";
import { NEVER, openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };

describe("a call that has a key", () => {
  it("is made once by two workers, and both get its hop", async () => {
    const { work, calls } = openWorkers();
    const [a, b] = [await work(), await work()];
    const [first, second] = [await a.host.call(PAY, AT), await b.host.call(PAY, AT)];
    expect(calls).toHaveLength(1);
    expect(second.callId).toBe(first.callId);
    expect(second.result).toEqual(first.result);
  });

  it.each([
    ["short", 10, ["claim once:key:thread-1", "set once:key:thread-1"]],
    [
      "long",
      10_000,
      ["claim once:key:thread-1", "set answer:key:thread-1", "set once:key:thread-1"],
    ],
  ])("asks its store no more than it must for a %s answer", async (_, length, asked) => {
    const { work, store } = openWorkers(() => ({
      content: [{ type: "text", text: "x".repeat(length) }],
    }));
    const seen: string[] = [];
    const watched = Object.fromEntries(
      Object.entries(store).map(([name, ask]) => [
        name,
        (...given: [string, never, never]) => {
          seen.push(`${name} ${given[0]}`);
          return ask(...given);
        },
      ]),
    ) as typeof store;
    const first = await (await work({ store: watched })).host.call(PAY, AT);
    expect(seen).toEqual(asked);
    expect((await (await work()).host.call(PAY, AT)).result).toEqual(first.result);
  });

  it("is not used up if a plugin answered it and nothing was sent", async () => {
    const { work, calls } = openWorkers();
    const cached = { name: "cache", wrapCall: async () => ({ content: [] }) };
    await (await work({ use: [cached] })).host.call(PAY, AT);
    expect(calls).toHaveLength(0);
    await (await work()).host.call(PAY, AT);
    expect(calls).toHaveLength(1);
  });

  it("is recorded by the worker that made it, and by no other", async () => {
    const { work } = openWorkers();
    const [a, b] = [await work(), await work()];
    for (const { host } of [a, b]) await host.call(PAY, AT);
    const events = [...a.events, ...b.events].filter((event) => event.type === "call");
    expect(events.filter(({ stage }) => stage === "record")).toHaveLength(1);
    expect(events.filter(({ madeBefore }) => madeBefore)).toHaveLength(1);
  });

  it("is not made again later, and its result is checked afresh", async () => {
    const { work, calls } = openWorkers(() => ({ content: [], structuredContent: { n: 1 } }), {
      pay: { outputSchema: { type: "object", properties: { n: { type: "number" } } } },
    });
    await (await work()).host.call(PAY, AT);
    const { output } = await (await work()).host.call(PAY, AT);
    expect(output).toEqual({ status: "valid", value: { n: 1 } });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["other arguments", { ...PAY, arguments: { to: "bob" } }],
    ["another tool", { ...PAY, tool: "bank.other" }],
  ])("has a key that is good for no call of %s", async (_, request) => {
    const { work, calls } = openWorkers();
    const { host } = await work();
    await host.call(PAY, AT);
    await expect(host.call(request, AT)).rejects.toMatchObject({ code: "denied" });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["under another key", { key: "thread-2" }],
    ["without a key", {}],
  ])("is another call %s", async (_, at) => {
    const { work, calls } = openWorkers();
    const { host } = await work();
    await host.call(PAY, AT);
    await host.call(PAY, at);
    expect(calls).toHaveLength(2);
  });

  it("is being made for as long as its run may last, if its server may ask a person meanwhile", async () => {
    const { work, clock, calls } = openWorkers(NEVER);
    const onInputRequest = () => ({ action: "cancel" }) as const;
    void (await work({ onInputRequest })).host.call(PAY, AT).catch(() => {});
    await until(() => calls.length === 1);
    clock.aheadMs = 300_000;
    const { host } = await work();
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "claimed-elsewhere" });
    clock.aheadMs = 700_000;
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "outcome-unknown" });
    expect(calls).toHaveLength(1);
  });

  it("answers nobody but the user and the conversation that it was made for", async () => {
    const { work, calls } = openWorkers();
    const { host } = await work();
    const ann = { ...AT, conversation: "c1", context: { user: "ann" } };
    await host.call(PAY, ann);
    for (const other of [{ conversation: "c2" }, { context: { user: "bob" } }]) {
      await expect(host.call(PAY, { ...ann, ...other })).rejects.toMatchObject({ code: "denied" });
    }
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["where the store cannot claim", { store: new Map() as Store }],
    ["where the host has no store of its own", { store: undefined }],
  ])("is made once in one process %s", async (_, options) => {
    const { work, calls } = openWorkers();
    const { host } = await work(options as object);
    await Promise.all([host.call(PAY, AT), host.call(PAY, AT)]);
    await host.call(PAY, AT);
    expect(calls).toHaveLength(1);
  });

  it("ends in the same error for all if the server refused it, and is not tried again", async () => {
    const { work, calls } = openWorkers(() => {
      throw Object.assign(new Error("over the limit"), { code: -32_000 });
    });
    const hosts = [(await work()).host, (await work()).host];
    for (const host of hosts) {
      await expect(host.call(PAY, AT)).rejects.toMatchObject({
        code: "protocol",
        message: expect.stringContaining("over the limit"),
        data: { code: -32_000 },
      });
    }
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["is no result", "paid", "it must be an object"],
    ["is a task", { resultType: "task" }, "an interim result"],
    ["is too large", { content: [{ type: "text", text: "x".repeat(300) }] }, "was dropped"],
  ])(
    "ends in the same error for all if its answer %s, and is not tried again",
    async (_, answer, why) => {
      const { work, calls } = openWorkers(() => answer);
      const limits = { maxResultBytes: 200 };
      const hosts = [(await work({ limits })).host, (await work({ limits })).host];
      for (const host of hosts) {
        await expect(host.call(PAY, AT)).rejects.toMatchObject({
          code: "malformed-result",
          message: expect.stringContaining(why),
        });
      }
      expect(calls).toHaveLength(1);
    },
  );

  it("is free again if it was never sent", async () => {
    const { work, calls } = openWorkers();
    const requestMeta = ({ method }: { method: string }) => {
      if (method === "tools/call") throw new Error("signed out");
      return undefined;
    };
    const { host } = await work({ use: [{ name: "request", requestMeta }] });
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "callback-failed" });
    await (await work()).host.call(PAY, AT);
    expect(calls).toHaveLength(1);
  });

  it("goes to the server under the same key from every worker", async () => {
    const { work, calls } = openWorkers(({ count }) => {
      if (count === 1) throw Object.assign(new Error("Unauthorized"), { status: 401 });
      return { content: [] };
    });
    const own = await work({
      use: [{ name: "request", requestMeta: () => ({ "example.org/customer": "c1" }) }],
    });
    await expect(own.host.call(PAY, AT)).rejects.toMatchObject({ code: "needs-sign-in" });
    await (await work()).host.call(PAY, AT);
    await own.host.call(PAY, { key: "thread-2" });
    await own.host.call(PAY);
    const keys = calls.map(({ meta }) => meta?.["toolrail/idempotencyKey"]);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBeUndefined();
    expect(calls[0]?.meta).toMatchObject({ "example.org/customer": "c1" });
  });
});

describe("a worker that comes second", () => {
  it("waits a little for the answer, and is then told that the call is being made", async () => {
    const { work, calls } = openWorkers(NEVER);
    const [a, b] = [await work(), await work()];
    const aborter = new AbortController();
    const made = a.host.call(PAY, { ...AT, signal: aborter.signal });
    await until(() => calls.length === 1);
    const startMs = performance.now();
    await expect(b.host.call(PAY, AT)).rejects.toMatchObject({ code: "claimed-elsewhere" });
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect(calls).toHaveLength(1);
    aborter.abort();
    await expect(made).rejects.toMatchObject({ code: "aborted" });
  });

  it("reports a store that fails, and sends nothing", async () => {
    const { work, calls, store } = openWorkers();
    const claim = () => Promise.reject(new Error("database is down"));
    const { host } = await work({ store: { ...store, claim } });
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "callback-failed" });
    expect(calls).toEqual([]);
  });

  it("gets its answer although the store failed to keep it", async () => {
    const { work, store } = openWorkers();
    const set = () => Promise.reject(new Error("database is down"));
    const { host } = await work({ store: { ...store, set } });
    expect((await host.call(PAY, AT)).result.content).toMatchObject([{ text: "pay 1" }]);
  });
});
