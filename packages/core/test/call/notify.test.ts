import { expect, it, onTestFinished, vi } from "vitest";
import { notify } from "../../src/adapter.ts";

it("A listener is waited for.", async () => {
  const told: string[] = [];
  const listener = async (event: string) => {
    await Promise.resolve();
    told.push(event);
  };
  await notify(listener, "hop");
  expect(told).toEqual(["hop"]);
});

it("What a listener throws or rejects with is dropped.", async () => {
  const thrower = () => {
    throw new Error("the page is gone");
  };
  await expect(notify(thrower, "hop")).resolves.toBeUndefined();
  const rejecter = () => Promise.reject(new Error("the page is gone"));
  await expect(notify(rejecter, "hop")).resolves.toBeUndefined();
});

it("Nothing happens if nobody listens.", async () => {
  await expect(notify(undefined, "hop")).resolves.toBeUndefined();
});

it("A listener that never ends is left after five minutes, so that no run waits for it without end.", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isLeft = false;
  const waiting = notify(() => new Promise<void>(() => {}), "hop").then(() => {
    isLeft = true;
  });
  await vi.advanceTimersByTimeAsync(299_999);
  expect(isLeft).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
