import { createMemoryServer } from "@toolrail/conformance";
import type { McpPort } from "@toolrail/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { startPglite } from "../../../langgraph/test/start-postgres.ts";
import { aHost, oneProcess, severalProcesses } from "./readme-examples.ts";

const SECRET = "the same in all processes of this test";

it.each([
  ["README", (port: McpPort) => aHost(port, SECRET)],
  ["guide", (port: McpPort) => severalProcesses(async () => port, SECRET)],
])("The example of the %s makes a call once in two hosts.", async (_, open) => {
  const db = await startPglite();
  onTestFinished(() => db.stop());
  vi.stubEnv("DATABASE_URL", db.connectionString);
  const bank = createMemoryServer({ pay: {} });
  const [one, other] = [await open(bank.port), await open(bank.port)];
  onTestFinished(() => Promise.all([one.pool.end(), other.pool.end()]).then(() => {}));
  const pay = { tool: "pay", arguments: { amount: 10 } };
  const [first, again] = [
    await one.host.call(pay, { key: "order-1" }),
    await other.host.call(pay, { key: "order-1" }),
  ];
  expect(bank.calls).toEqual(["pay"]);
  expect(again.callId).toBe(first.callId);
});

it("The example of one process needs nothing but a server.", async () => {
  const bank = createMemoryServer({ pay: {} });
  const host = await oneProcess(async () => bank.port);
  await host.call({ tool: "pay" });
  expect(bank.calls).toEqual(["pay"]);
});
