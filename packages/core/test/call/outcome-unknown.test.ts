import { describe, expect, it } from "vitest";
import type { HostOptions, Plugin } from "../../src/index.ts";
import { AFTER_CRASH_MS, NEVER, openWorkers, until } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };
const ASK: Partial<HostOptions> = { authorize: () => "ask" };

describe("a call whose worker was lost before it had an answer", () => {
  it.each([
    ["any tool", {}],
    [
      "a tool that its server calls idempotent and read-only",
      { idempotentHint: true, readOnlyHint: true },
    ],
  ])("is not made again for %s: nobody knows whether it took effect", async (_, annotations) => {
    const { work, calls, clock } = openWorkers(NEVER, { pay: { annotations } });
    (await work()).host.call(PAY, AT).catch(() => {});
    await until(() => calls.length === 1);
    const { host } = await work();
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "claimed-elsewhere" });
    clock.aheadMs += AFTER_CRASH_MS;
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "outcome-unknown" });
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

  it("is not repeated by the approval with which it was made, and waits for no other one", async () => {
    const { work, calls, clock } = openWorkers(NEVER);
    const { host } = await work(ASK);
    const paused = await host.run(PAY);
    host.resume(paused, "approve").catch(() => {});
    await until(() => calls.length === 1);
    clock.aheadMs += AFTER_CRASH_MS;
    const elsewhere = await work(ASK);
    expect(await elsewhere.host.resume(paused, "approve")).toMatchObject({
      ended: "failed",
      error: { code: "outcome-unknown" },
    });
    expect(calls).toHaveLength(1);
  });

  it("has its answer for everyone if its worker was slow and not lost", async () => {
    let answerFirst = (_: unknown) => {};
    const { work, calls, clock } = openWorkers(() => new Promise((done) => (answerFirst = done)));
    const slow = (await work()).host.call(PAY, AT);
    await until(() => calls.length === 1);
    clock.aheadMs += AFTER_CRASH_MS;
    const { host } = await work();
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "outcome-unknown" });
    answerFirst({ content: [{ type: "text", text: "late" }] });
    await slow;
    expect(await host.call(PAY, AT)).toMatchObject({
      madeBefore: true,
      result: { content: [{ text: "late" }] },
    });
    expect(calls).toHaveLength(1);
  });
});

describe("a call whose worker failed after it had been sent", () => {
  it.each([
    ["an error of its connection", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
    ["a time limit", Object.assign(new Error("late"), { code: "REQUEST_TIMEOUT" })],
    ["anything else", new Error("something")],
  ])("is unknown from then on after %s", async (_, error) => {
    const { work, calls } = openWorkers(() => Promise.reject(error));
    await (await work()).host.call(PAY, AT).catch(() => {});
    const again = (await work()).host.call(PAY, AT);
    await expect(again).rejects.toMatchObject({ code: "outcome-unknown" });
    expect(calls).toHaveLength(1);
  });

  it("is unknown if a plugin fails with its result", async () => {
    const { work, calls } = openWorkers();
    const wrapCall: Plugin["wrapCall"] = async (call, next) => {
      await next(call);
      throw new Error("no disk");
    };
    const { host } = await work({ use: [{ name: "broken", wrapCall }] });
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "callback-failed" });
    await expect(host.call(PAY, AT)).rejects.toMatchObject({ code: "outcome-unknown" });
    expect(calls).toHaveLength(1);
  });
});
