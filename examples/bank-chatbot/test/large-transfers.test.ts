import { createHost } from "@toolrail/core";
import { runPipe } from "@toolrail/core/pipe";
import { expect, onTestFinished, test } from "vitest";
import { askBeforeLargeTransfers } from "../src/agents/agent.ts";
import { createBankStore } from "../src/bank/store.ts";
import { connectInMemory } from "./connect-in-memory.ts";

test("A large transfer waits in a pipe that a model wrote, just as in a single call.", async () => {
  const bank = await connectInMemory({ store: createBankStore() });
  const host = await createHost({ servers: { bank }, authorize: askBeforeLargeTransfers });
  onTestFinished(() => host.close());
  const args = { amount: 5000, fromAccountId: "acc_savings_001", toAccountId: "acc_current_001" };
  const spec = { steps: [{ id: "move", tool: "bank.prepare_money_transfer", args }] };
  const { paused } = await runPipe(host, { spec, author: "model", pauses: true });
  expect(paused?.asks).toMatchObject([{ path: "steps.move" }]);
});
