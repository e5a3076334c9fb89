import { expect, it } from "vitest";
import { createHost } from "../../core/src/index.ts";
import { createSingleStep } from "../src/index.ts";

it("makes the one call of a query as the README shows, and no second one", async () => {
  const account = { type: "string" };
  const inputSchema = { type: "object" as const, properties: { account } };
  const outputSchema = {
    type: "object" as const,
    properties: { balance: { type: "number" } },
    required: ["balance"],
    additionalProperties: false,
  };
  const bank = {
    list: async () => ({ tools: [{ name: "get_balance", inputSchema, outputSchema }] }),
    call: async () => ({ content: [], structuredContent: { balance: 3 } }),
  };
  const host = await createHost({ servers: { bank } });

  const step = createSingleStep(host, { allow: ["bank.get_balance"] });
  const query = step.startQuery();
  const outcome = await query.call({ tool: "bank.get_balance", arguments: { account: "7" } });

  expect(outcome.verdict).toBe("allow");
  const second = await query.call({ tool: "bank.get_balance", arguments: { account: "8" } });
  expect(second.verdict).toBe("block");
});
