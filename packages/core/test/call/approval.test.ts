import { describe, expect, it } from "vitest";
import {
  type CallOptions,
  type ChainResult,
  type HostOptions,
  modelView,
  type Store,
} from "../../src/index.ts";
import { setClock } from "../clock.ts";
import { asking } from "../servers.ts";
import { AFTER_CRASH_MS, NEVER, openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const ASK: Partial<HostOptions> = { authorize: () => "ask", store: undefined as never };
const BY_MODEL = { origin: { by: "model" } } as const;

/** One host that asks about everything, with the memory that every host has, over a server that counts. */
async function open(
  answer?: Parameters<typeof openWorkers>[0],
  { tools, ...options }: Partial<HostOptions> & { tools?: Parameters<typeof openWorkers>[1] } = {},
) {
  const workers = openWorkers(answer, tools);
  const { host, events } = await workers.work({ ...ASK, ...options });
  const ask = async (how: CallOptions = BY_MODEL) => {
    const checked = await host.check(PAY, how);
    return checked.type === "ask" ? checked.binding : "";
  };
  return { ...workers, host, events, ask };
}

const idsOf = ({ hops }: ChainResult) => hops.map(({ callId }) => callId);
const madeBefore = ({ hops }: ChainResult) => hops.map((hop) => hop.madeBefore === true);

describe("one approval", () => {
  it("makes one call, however often the chain that waited is resumed, and each gets its result", async () => {
    const { host, calls, events } = await open();
    const paused = await host.run(PAY);
    const [first, again] = [
      await host.resume(paused, "approve"),
      await host.resume(paused, "approve"),
    ];
    expect(calls).toHaveLength(1);
    expect(again.hops[0]?.result).toEqual(first.hops[0]?.result);
    expect(idsOf(again)).toEqual(idsOf(first));
    expect([madeBefore(first), madeBefore(again)]).toEqual([[false], [true]]);
    const read = [first, again].map((chain) => modelView(chain).content.map(({ text }) => text));
    expect(read[1]).toEqual([expect.stringContaining("made before"), ...(read[0] ?? [])]);
    const records = events.filter((event) => event.type === "call" && event.stage === "record");
    expect(records).toHaveLength(1);
  });

  it("makes one call if two resume at once: the second waits for the first", async () => {
    let answer = (_: unknown) => {};
    const { host, calls } = await open(() => new Promise((done) => (answer = done)));
    const paused = await host.run(PAY);
    const both = Promise.all([host.resume(paused, "approve"), host.resume(paused, "approve")]);
    await until(() => calls.length === 1);
    answer({ content: [{ type: "text", text: "paid" }] });
    const chains = await both;
    expect(calls).toHaveLength(1);
    expect(chains.map(({ ended }) => ended)).toEqual(["complete", "complete"]);
    expect(chains.flatMap(madeBefore).toSorted()).toEqual([false, true]);
  });

  it("tells a caller who does not want to wait so long that the call is being made", async () => {
    const { host, calls } = await open(NEVER);
    const paused = await host.run(PAY);
    const aborter = new AbortController();
    const first = host.resume(paused, "approve", { signal: aborter.signal });
    await until(() => calls.length === 1);
    const second = await host.resume(paused, "approve", { timeoutMs: 30 });
    expect(second.error).toMatchObject({
      code: "claimed-elsewhere",
      message: expect.stringContaining("on the same approval"),
    });
    expect(calls).toHaveLength(1);
    aborter.abort();
    await first;
  });

  it("repeats none of the calls that follow from its own", async () => {
    const { host, calls } = await open(
      ({ name }) => (name === "pay" ? asking("mail") : asking("note")),
      {
        tools: { pay: {}, mail: {}, note: {} },
        authorize: ({ tool }) => (tool.name === "mail" ? "allow" : "ask"),
      },
    );
    const paused = await host.run(PAY);
    const both = [await host.resume(paused, "approve"), await host.resume(paused, "approve")];
    expect(calls.map(({ name }) => name)).toEqual(["pay", "mail"]);
    expect(both.map(({ pending }) => pending?.tool)).toEqual(["note", "note"]);
    for (const chain of both) await host.resume(chain, "approve");
    expect(calls.map(({ name }) => name)).toEqual(["pay", "mail", "note"]);
  });

  it("makes one call if its binding is used by hand", async () => {
    const { host, calls, ask } = await open();
    const approved = await ask();
    const first = await host.call(PAY, { ...BY_MODEL, approved });
    expect((await host.call(PAY, { ...BY_MODEL, approved })).callId).toBe(first.callId);
    expect(calls).toHaveLength(1);
  });

  it("makes no call once it may be forgotten that it was made, however it is used", async () => {
    let nowMs = Date.now();
    const limits = { approvalTtlMs: 5_000 };
    const { host, calls, ask } = await open(undefined, { limits });
    setClock(() => nowMs);
    const paused = await host.run(PAY);
    const approved = await ask();
    await host.resume(paused, "approve");
    nowMs += 4_999;
    const inTime = await host.resume(paused, "approve");
    expect([inTime.ended, ...madeBefore(inTime)]).toEqual(["complete", true]);
    nowMs += 5_001;
    const late = await host.resume(paused, "approve");
    expect(late).toMatchObject({ ended: "denied", error: { code: "denied" } });
    expect(late.error?.message).toContain("has expired");
    const changed = { approve: { arguments: { to: "bob" } } };
    expect((await host.resume(paused, changed)).ended).toBe("denied");
    await expect(host.call(PAY, { ...BY_MODEL, approved })).rejects.toMatchObject({
      code: "denied",
    });
    expect(calls).toHaveLength(1);
  });

  it("makes one call of a tool that its server calls read-only or idempotent", async () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    const { host, calls } = await open(undefined, { tools: { pay: { annotations } } });
    const paused = await host.run(PAY);
    await Promise.all([host.resume(paused, "approve"), host.resume(paused, "approve")]);
    expect(calls).toHaveLength(1);
  });

  it("makes one call if the store cannot claim", async () => {
    const { host, calls } = await open(undefined, { store: new Map() as Store });
    const paused = await host.run(PAY);
    await Promise.all([host.resume(paused, "approve"), host.resume(paused, "approve")]);
    await host.resume(paused, "approve");
    expect(calls).toHaveLength(1);
  });

  it("makes one call in two processes that share a store", async () => {
    const { work, calls } = openWorkers();
    const authorize = () => "ask" as const;
    const [a, b] = [await work({ authorize }), await work({ authorize })];
    const paused = JSON.parse(JSON.stringify(await a.host.run(PAY))) as ChainResult;
    const chains = await Promise.all([a, b].map(({ host }) => host.resume(paused, "approve")));
    expect(calls).toHaveLength(1);
    expect(idsOf(chains[1] as ChainResult)).toEqual(idsOf(chains[0] as ChainResult));
  });

  it("keeps an unknown outcome if nobody knows what its call did: only a new question makes another call", async () => {
    const { work, calls, clock } = openWorkers(({ count }) =>
      count === 1 ? NEVER() : { content: [] },
    );
    const authorize = () => "ask" as const;
    const { host: lost } = await work({ authorize });
    const paused = await lost.run(PAY);
    lost.resume(paused, "approve").catch(() => {});
    await until(() => calls.length === 1);
    clock.aheadMs += AFTER_CRASH_MS;
    const { host } = await work({ authorize });
    const unknown = await host.resume(paused, "approve");
    expect(unknown).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
    expect(calls).toHaveLength(1);
    const another = await host.run(PAY);
    expect(await host.resume(another, "approve")).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(2);
  });

  it("is not spent by a call that was never sent", async () => {
    let isSignedIn = false;
    const requestMeta = ({ method }: { method: string }) => {
      if (method === "tools/call" && !isSignedIn) throw new Error("signed out");
      return undefined;
    };
    const { host, calls } = await open(undefined, { use: [{ name: "request", requestMeta }] });
    const paused = await host.run(PAY);
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "failed" });
    isSignedIn = true;
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(1);
  });

  it("says nothing about a new call with the same arguments, which has an approval of its own", async () => {
    const { host, calls, ask } = await open();
    const [first, second] = [await ask(), await ask()];
    expect(second).not.toBe(first);
    for (const approved of [first, second]) await host.call(PAY, { ...BY_MODEL, approved });
    expect(calls).toHaveLength(2);
  });

  it("leaves calls alone that nobody was asked about", async () => {
    const { host, calls } = await open(undefined, { authorize: () => "allow" });
    for (const _ of [1, 2]) await host.run(PAY, BY_MODEL);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["in another conversation", { conversation: "c1" }, { conversation: "c2" }],
    ["in a conversation where it was given in none", {}, { conversation: "c2" }],
    ["outside of its conversation", { conversation: "c1" }, {}],
    ["for another user", { context: { user: "u1" } }, { context: { user: "u2" } }],
    ["for nobody", { context: { userId: 1, at: 1 } }, {}],
    ["for another user as a text", { context: "u1" }, { context: "u2" }],
  ])("does not count %s", async (_, given, used) => {
    const { host, calls, ask } = await open();
    const approved = await ask({ ...BY_MODEL, ...given });
    const call = host.call(PAY, { ...BY_MODEL, ...used, approved });
    await expect(call).rejects.toMatchObject({ code: "denied" });
    expect(calls).toEqual([]);
  });

  it("holds for the same user, whatever else the context says", async () => {
    const { host, calls, ask } = await open();
    const approved = await ask({ ...BY_MODEL, context: { user: { id: 7 }, at: 1 } });
    await host.call(PAY, {
      ...BY_MODEL,
      approved,
      context: { user: { id: "7", name: "Ann" }, at: 2 },
    });
    expect(calls).toHaveLength(1);
  });

  it("holds for no other user if ids are bigints", async () => {
    const { host, calls, ask } = await open();
    const approved = await ask({ ...BY_MODEL, context: { userId: 1n } });
    const used = host.call(PAY, { ...BY_MODEL, approved, context: { userId: 2n } });
    await expect(used).rejects.toMatchObject({ code: "denied" });
    expect(calls).toHaveLength(0);
  });
});

describe("a chain that waits", () => {
  it("knows the key and the conversation that it was begun with", async () => {
    const { work, calls } = openWorkers(({ name }) =>
      name === "pay" ? asking("other") : { content: [] },
    );
    const seen: unknown[] = [];
    const authorize: HostOptions["authorize"] = ({ conversation, origin }) => {
      seen.push(conversation);
      return origin.by === "chain" ? "allow" : "ask";
    };
    const { host } = await work({ authorize });
    const paused = await host.run(PAY, { key: "p1", conversation: "c1" });
    expect(paused.pending).toMatchObject({ key: "p1", conversation: "c1" });
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "complete" });
    expect(await (await work({ authorize })).host.resume(paused, "approve")).toMatchObject({
      ended: "complete",
    });
    expect(seen).toEqual(Array(5).fill("c1"));
    expect(calls.map(({ name }) => name)).toEqual(["pay", "other"]);
  });

  it.each([
    ["another key", { key: "p1" }, { key: "p2" }],
    ["a key where it had none", {}, { key: "p2" }],
    ["another conversation", { conversation: "c1" }, { conversation: "c2" }],
    ["a conversation where it had none", {}, { conversation: "c2" }],
  ])("is not resumed with %s", async (_, begun, told) => {
    const { host, calls } = await open();
    const paused = await host.run(PAY, begun);
    for (const decision of ["approve", { deny: "no" }] as const) {
      const resumed = host.resume(paused, decision, told);
      await expect(resumed).rejects.toMatchObject({
        code: "invalid-options",
        message: expect.stringMatching(/was begun with.* when you resume it/),
      });
    }
    expect(calls).toEqual([]);
  });

  it("accepts at each pause what it was begun with", async () => {
    const { host, calls } = await open(({ name }) =>
      name === "pay" ? asking("other") : { content: [] },
    );
    const begun = { key: "p1", conversation: "c1" };
    const first = await host.run(PAY, begun);
    const second = await host.resume(first, "approve", begun);
    expect(second).toMatchObject({
      ended: "needs-approval",
      pending: { tool: "other", conversation: "c1" },
    });
    expect(await host.resume(second, "approve", begun)).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(2);
  });
});
