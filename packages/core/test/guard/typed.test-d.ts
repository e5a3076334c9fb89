import { expectTypeOf, it } from "vitest";
import { createSingleStep } from "../../src/guard/index.ts";
import type { Host } from "../../src/index.ts";

it("takes any host, and says nothing of the value where the outcome is not typed", async () => {
  const query = createSingleStep({} as Host).startQuery();
  const outcome = await query.call({ tool: { server: "desk", name: "read" } });
  if (outcome.code === "complete") expectTypeOf(outcome.value).toBeUnknown();
  if (outcome.code === "untyped-output") expectTypeOf(outcome).not.toHaveProperty("value");
  if (outcome.verdict === "block") expectTypeOf(outcome).not.toHaveProperty("hop");
});
