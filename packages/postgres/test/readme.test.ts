import { createMemoryServer } from "@toolrail/conformance";
import { expect, it, onTestFinished, vi } from "vitest";
import { startPglite } from "../../langgraph/test/start-postgres.ts";
import { aHost } from "./readme-examples.ts";

it("The example of the README makes a call once in two hosts.", async () => {
  const db = await startPglite();
  onTestFinished(() => db.stop());
  vi.stubEnv("DATABASE_URL", db.connectionString);
  const bank = createMemoryServer({ pay: {} });
  const secret = "the same in all processes of this test";
  const [one, other] = [await aHost(bank.port, secret), await aHost(bank.port, secret)];
  onTestFinished(() => Promise.all([one.pool.end(), other.pool.end()]).then(() => {}));
  const pay = { tool: "pay", arguments: { amount: 10 } };
  const [first, again] = [
    await one.host.call(pay, { place: "order-1" }),
    await other.host.call(pay, { place: "order-1" }),
  ];
  expect(bank.calls).toEqual(["pay"]);
  expect(again.callId).toBe(first.callId);
});
