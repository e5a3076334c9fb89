import { describe, expect, it } from "vitest";
import type { CallOptions, ChainResult, HostOptions, Store } from "../../src/index.ts";
import { asking } from "../servers.ts";
import { openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const ADA = { context: { user: "ada" }, conversation: "c1" };
const NO = { deny: "too much" };
const DENIED = {
  ended: "denied",
  error: {
    code: "denied",
    message: "bank.pay was not called: a person has denied it already. Ask for approval again.",
  },
};

/** One host that asks about everything, with the memory that every host has, over a server that counts. */
async function open(
  answer?: Parameters<typeof openWorkers>[0],
  options: Partial<HostOptions> = {},
) {
  const workers = openWorkers(answer);
  const { host } = await workers.work({
    authorize: () => "ask",
    store: undefined as never,
    ...options,
  });
  const pause = (how: CallOptions = {}) => host.run(PAY, { ...ADA, ...how });
  const bindingOf = ({ pending }: ChainResult) => pending?.binding ?? "";
  return { ...workers, host, pause, bindingOf };
}

describe("a call that a person has denied", () => {
  it.each([
    ["in the memory of the host", {}],
    ["in a store that cannot claim", { store: new Map() as Store }],
  ])("is not made by a later approval of the same chain, %s", async (_, options) => {
    const { host, calls, pause, bindingOf } = await open(undefined, options);
    const paused = await pause();
    expect(await host.resume(paused, NO, ADA)).toMatchObject({
      ended: "denied",
      error: { code: "denied", message: "bank.pay was not approved: too much" },
    });
    const kept = JSON.parse(JSON.stringify(paused)) as ChainResult;
    const other = { approve: { arguments: { to: "bob" } } };
    for (const yes of ["approve", other, "approve"] as const)
      expect(await host.resume(kept, yes, ADA)).toMatchObject(DENIED);
    const byHand = host.call(PAY, { ...ADA, approved: bindingOf(paused) });
    await expect(byHand).rejects.toMatchObject(DENIED.error);
    expect(await host.resume(paused, NO, ADA)).toMatchObject({ ended: "denied" });
    expect(calls).toEqual([]);
  });

  it("is not made in another process with the same store, also with a key", async () => {
    const { work, calls } = openWorkers();
    const authorize = () => "ask" as const;
    const [a, b] = [await work({ authorize }), await work({ authorize })];
    const paused = await a.host.run(PAY, { ...ADA, key: "order-7" });
    await a.host.resume(paused, NO, ADA);
    expect(await b.host.resume(paused, "approve", ADA)).toMatchObject(DENIED);
    expect(calls).toEqual([]);
  });

  it("is not made if it follows from a result, and the chain before it stays made once", async () => {
    const { host, calls } = await open(
      ({ name }) => (name === "pay" ? asking("other") : { content: [] }),
      { authorize: ({ tool }) => (tool.name === "other" ? "ask" : "allow") },
    );
    const paused = await host.run(PAY, ADA);
    await host.resume(paused, NO, ADA);
    expect(await host.resume(paused, "approve", ADA)).toMatchObject({ ended: "denied" });
    expect(calls.map(({ name }) => name)).toEqual(["pay"]);
  });

  it("can be asked for again: a person is asked anew, and decides anew", async () => {
    const { work, calls, clock } = openWorkers();
    const { host } = await work({ authorize: () => "ask" });
    for (const how of [ADA]) {
      calls.length = 0;
      const chains: ChainResult[] = [];
      for (const decision of [NO, NO, "approve"] as const) {
        clock.aheadMs += 1;
        const paused = await host.run(PAY, how);
        expect(paused.ended).toBe("needs-approval");
        chains.push(paused);
        const { ended } = await host.resume(paused, decision, ADA);
        expect(ended).toBe(decision === "approve" ? "complete" : "denied");
      }
      const again = chains.map((paused) => host.resume(paused, "approve", ADA));
      expect(await Promise.all(again)).toMatchObject([DENIED, DENIED, { ended: "complete" }]);
      expect(calls).toHaveLength(1);
    }
  });

  it("is final for its key, whoever is asked again and whatever the policies say then", async () => {
    let answer: "ask" | "allow" = "ask";
    const { work, calls } = openWorkers();
    const { host } = await work({ authorize: () => answer });
    const AT = { ...ADA, key: "order-7" };
    await host.resume(await host.run(PAY, AT), NO, ADA);
    expect(await host.resume(await host.run(PAY, AT), "approve", ADA)).toMatchObject(DENIED);
    answer = "allow";
    expect(await host.run(PAY, AT)).toMatchObject(DENIED);
    expect(calls).toHaveLength(0);
  });

  it("can be denied by nobody but the user who was asked, as it can be approved by nobody else", async () => {
    const { host, calls, pause } = await open();
    const paused = await pause();
    const eve = { context: { user: "eve" } };
    expect(await host.resume(paused, NO, eve)).toMatchObject({ ended: "denied" });
    expect(await host.resume(paused, "approve", ADA)).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(1);
  });

  it("is not made if the denial did not say who gives it", async () => {
    const { host, pause } = await open();
    const paused = await pause();
    await host.resume(paused, NO);
    expect(await host.resume(paused, "approve", ADA)).toMatchObject(DENIED);
  });

  it("still waits if the store cannot record the denial", async () => {
    const fail = () => {
      throw new Error("down");
    };
    let isDown = true;
    const rows = new Map<string, unknown>();
    const store: Store = {
      get: (key) => rows.get(key),
      set: (key, value) => rows.set(key, value),
      delete: (key) => rows.delete(key),
      claim: (key, value) => (isDown ? fail() : !rows.has(key) && Boolean(rows.set(key, value))),
    };
    const { host, pause } = await open(undefined, { store });
    const paused = await pause();
    const failed = await host.resume(paused, NO, ADA);
    expect(failed).toMatchObject({ ended: "failed", error: { code: "callback-failed" } });
    isDown = false;
    expect(await host.resume(paused, NO, ADA)).toMatchObject({ ended: "denied" });
    expect(await host.resume(paused, "approve", ADA)).toMatchObject(DENIED);
  });
});

describe("of two decisions at the same moment", () => {
  it("a denial that comes first lets no call be made", async () => {
    const { host, calls, pause } = await open();
    const paused = await pause();
    const denial = host.resume(paused, NO, ADA);
    const chains = await Promise.all([denial, host.resume(paused, "approve", ADA)]);
    expect(chains).toMatchObject([{ ended: "denied" }, DENIED]);
    expect(calls).toEqual([]);
  });

  it("an approval that comes first makes the call, and the denial says that it was too late", async () => {
    let answer = (_: unknown) => {};
    const { host, calls, pause } = await open(() => new Promise((done) => (answer = done)));
    const paused = await pause();
    const approval = host.resume(paused, "approve", ADA);
    await until(() => calls.length === 1);
    const message =
      "bank.pay was not denied: a person had approved it before, so it was called, or is being called.";
    const tooLate = { ended: "denied", error: { code: "denied", message } };
    expect(await host.resume(paused, NO, ADA)).toMatchObject(tooLate);
    answer({ content: [] });
    expect(await approval).toMatchObject({ ended: "complete" });
    expect(await host.resume(paused, NO, ADA)).toMatchObject(tooLate);
    expect(await host.resume(paused, "approve", ADA)).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(1);
  });
});
