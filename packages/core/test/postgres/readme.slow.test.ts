import { createMemoryServer } from "@toolrail/conformance";
import { expect, it, onTestFinished, vi } from "vitest";
import { startPglite } from "../../../langgraph/test/start-postgres.ts";
import { aHost } from "./readme-examples.ts";

const SECRET = "the same in all processes of this test";

it("The example of several processes makes a call once in two hosts.", async () => {
  const db = await startPglite();
  onTestFinished(() => db.stop());
  vi.stubEnv("DATABASE_URL", db.connectionString);
  const bank = createMemoryServer({ pay: {} });
  const [one, other] = [await aHost(bank.port, SECRET), await aHost(bank.port, SECRET)];
  onTestFinished(() => Promise.all([one.pool.end(), other.pool.end()]).then(() => {}));
  const pay = { tool: "pay", arguments: { amount: 10 } };
  const [first, again] = [
    await one.host.call(pay, { key: "order-1" }),
    await other.host.call(pay, { key: "order-1" }),
  ];
  expect(bank.calls).toEqual(["pay"]);
  expect(again.callId).toBe(first.callId);
});
