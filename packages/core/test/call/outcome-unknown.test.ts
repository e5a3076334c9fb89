import { once } from "@toolrail/plugins/once";
import { describe, expect, it } from "vitest";
import type { ChainResult, HostOptions } from "../../src/index.ts";
import { AFTER_CRASH_MS, NEVER, openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };
const DONE = { content: [{ type: "text", text: "paid" }] };

/** Workers of whom the first so many were lost in their call. */
async function afterCrashes(
  crashes: number,
  annotations: object = {},
  options: Partial<HostOptions> = {},
) {
  const workers = openWorkers(({ count }) => (count <= crashes ? NEVER() : DONE), {
    pay: { annotations },
  });
  const { host } = await workers.work(options);
  const calling = host.call(PAY, AT);
  calling.catch(() => {});
  await until(() => workers.calls.length === 1);
  workers.clock.aheadMs += AFTER_CRASH_MS;
  return workers;
}

describe("a call whose worker was lost before it had an answer", () => {
  it("is not made again: nobody knows whether it took effect", async () => {
    const { work, calls } = await afterCrashes(1);
    await expect((await work()).host.call(PAY, AT)).rejects.toMatchObject({
      code: "outcome-unknown",
      data: { attempts: 1 },
    });
    expect(calls).toHaveLength(1);
  });

  it("is not made again even if its worker was stopped by its own application", async () => {
    const { work, calls } = openWorkers(NEVER);
    const aborter = new AbortController();
    const made = (await work()).host.call(PAY, { ...AT, signal: aborter.signal });
    await until(() => calls.length === 1);
    aborter.abort();
    await expect(made).rejects.toMatchObject({ code: "aborted" });
    const again = (await work()).host.call(PAY, AT);
    await expect(again).rejects.toMatchObject({ code: "outcome-unknown" });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["the tool says that it is idempotent", { idempotentHint: true }, {}],
    ["the host is told to repeat", {}, { use: [once({ afterCrash: "repeat" })] }],
  ])("is made again by one of several workers if %s", async (_, annotations, options) => {
    const { work, calls } = await afterCrashes(1, annotations);
    const [a, b] = [await work(options), await work(options)];
    const hops = await Promise.all([a.host.call(PAY, AT), b.host.call(PAY, AT)]);
    expect(hops.map(({ result }) => result.content)).toEqual([DONE.content, DONE.content]);
    expect(calls).toHaveLength(2);
    const [first, second] = calls.map(({ meta }) => meta?.["toolrail/idempotencyKey"]);
    expect(second).toBe(first);
  });

  it("is left to a person, and made again if they approve it", async () => {
    const { work, calls } = await afterCrashes(1);
    const [a, b] = [await work(), await work()];
    const paused = await a.host.run(PAY, AT);
    expect(paused).toMatchObject({
      ended: "needs-approval",
      error: { code: "outcome-unknown" },
      pending: { tool: "pay", lostAttempts: 1 },
    });
    const kept = JSON.parse(JSON.stringify(paused)) as ChainResult;
    const chains = await Promise.all([
      a.host.resume(kept, "approve", AT),
      b.host.resume(kept, "approve", AT),
    ]);
    expect(chains.map(({ ended }) => ended)).toEqual(["complete", "complete"]);
    expect(calls).toHaveLength(2);
    expect(await (await work()).host.run(PAY, AT)).toMatchObject({ ended: "complete" });
    expect(calls).toHaveLength(2);
  });

  it("is asked about again if the repetition was lost as well", async () => {
    const { work, calls, clock } = await afterCrashes(2);
    const { host } = await work();
    const paused = await host.run(PAY, AT);
    host.resume(paused, "approve", AT).catch(() => {});
    await until(() => calls.length === 2);
    clock.aheadMs += AFTER_CRASH_MS;
    const again = await (await work()).host.resume(paused, "approve", AT);
    expect(again).toMatchObject({ ended: "needs-approval", pending: { lostAttempts: 2 } });
    expect(calls).toHaveLength(2);
  });

  it("is not repeated by the approval with which it was made", async () => {
    const { work, calls, clock } = openWorkers(NEVER);
    const authorize = () => "ask" as const;
    const { host } = await work({ authorize });
    const paused = await host.run(PAY, AT);
    host.resume(paused, "approve", AT).catch(() => {});
    await until(() => calls.length === 1);
    clock.aheadMs += AFTER_CRASH_MS;
    const elsewhere = await work({ authorize });
    expect(await elsewhere.host.resume(paused, "approve", AT)).toMatchObject({
      ended: "needs-approval",
      error: { code: "outcome-unknown" },
    });
    expect(calls).toHaveLength(1);
  });

  it("does not decide over the attempt of another worker when it was slow and not lost", async () => {
    let answerFirst = (_: unknown) => {};
    const workers = openWorkers(
      ({ count }) => (count === 1 ? new Promise((done) => (answerFirst = done)) : DONE),
      { pay: { annotations: { idempotentHint: true } } },
    );
    const { work, calls, clock } = workers;
    const slow = (await work()).host.call(PAY, AT);
    await until(() => calls.length === 1);
    clock.aheadMs += AFTER_CRASH_MS;
    const second = await (await work()).host.call(PAY, AT);
    answerFirst({ content: [{ type: "text", text: "late" }] });
    expect((await slow).result.content).toMatchObject([{ text: "late" }]);
    expect(second.result.content).toEqual(DONE.content);
    expect(calls).toHaveLength(2);
  });
});
