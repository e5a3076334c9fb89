import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.ts";
import { NEVER, openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };

describe("a call that has a key", () => {
  it("is made once if two workers make it at once, and both get its hop", async () => {
    const { work, calls } = openWorkers();
    const [a, b] = [await work(), await work()];
    const [first, second] = await Promise.all([a.host.call(PAY, AT), b.host.call(PAY, AT)]);
    expect(calls).toHaveLength(1);
    expect(second.callId).toBe(first.callId);
    expect(second.result).toEqual(first.result);
  });

  it("keeps the key that it was checked with", async () => {
    const { work, calls } = openWorkers();
    for (const { host } of [await work(), await work()]) {
      await host.call(await host.check(PAY, AT));
    }
    expect(calls).toHaveLength(1);
  });

  it("is recorded by the worker that made it, and by no other", async () => {
    const { work } = openWorkers();
    const [a, b] = [await work(), await work()];
    await Promise.all([a.host.call(PAY, AT), b.host.call(PAY, AT)]);
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
    ["of other arguments", { ...PAY, arguments: { to: "bob" } }, AT],
    ["of another tool", { ...PAY, tool: "bank.other" }, AT],
    ["under another key", PAY, { key: "thread-2" }],
  ])("does not answer a call %s", async (_, request, options) => {
    const { work, calls } = openWorkers();
    const { host } = await work();
    await host.call(PAY, AT);
    await host.call(request, options);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["that has no key", {}, {}, {}],
    ["of a read-only tool", { annotations: { readOnlyHint: true } }, AT, {}],
    ["where the store cannot claim", {}, AT, { store: new Map() as Store }],
    ["where the host has no store of its own", {}, AT, { store: undefined }],
  ])("is made by each worker %s", async (_, tool, at, options) => {
    const { work, calls } = openWorkers(undefined, { pay: tool });
    const [a, b] = [await work(options as object), await work(options as object)];
    await Promise.all([a.host.call(PAY, at), b.host.call(PAY, at)]);
    expect(calls).toHaveLength(2);
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
    const { work, calls } = openWorkers(undefined, {
      pay: { annotations: { readOnlyHint: true } },
    });
    const own = await work({
      use: [{ name: "request", requestMeta: () => ({ "example.org/customer": "c1" }) }],
    });
    await own.host.call(PAY, AT);
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

describe("a worker that waits for another", () => {
  it("stops waiting when it is aborted, and makes no call", async () => {
    const { work, calls } = openWorkers(NEVER);
    const [a, b] = [await work(), await work()];
    const first = new AbortController();
    const made = a.host.call(PAY, { ...AT, signal: first.signal });
    await until(() => calls.length === 1);
    const aborter = new AbortController();
    const waiting = b.host.call(PAY, { ...AT, signal: aborter.signal });
    aborter.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(calls).toHaveLength(1);
    first.abort();
    await expect(made).rejects.toMatchObject({ code: "aborted" });
  });

  it("gives up after the time that its call may take, and says that the call is made elsewhere", async () => {
    const { work, calls } = openWorkers(NEVER);
    const [a, b] = [await work(), await work()];
    const aborter = new AbortController();
    const made = a.host.call(PAY, { ...AT, signal: aborter.signal });
    await until(() => calls.length === 1);
    await expect(b.host.call(PAY, { ...AT, timeoutMs: 30 })).rejects.toMatchObject({
      code: "claimed-elsewhere",
      message: expect.stringContaining("continue the run later"),
    });
    expect(calls).toHaveLength(1);
    aborter.abort();
    await made.catch(() => {});
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
