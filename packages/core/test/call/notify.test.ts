import { expect, it } from "vitest";
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

it("Where nobody listens nothing happens.", async () => {
  await expect(notify(undefined, "hop")).resolves.toBeUndefined();
});
