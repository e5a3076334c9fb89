import { expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createSingleStep } from "../../src/guard/index.ts";
import { createHost, type Host } from "../../src/index.ts";

declare const client: Parameters<typeof createHost>[0]["servers"][string];

const schemas = {
  "desk.read": z.object({
    title: z.string(),
    opened: z.iso.date().transform((at) => new Date(at)),
  }),
  "docs.search": z.array(z.string()),
};

it("gives a guarded call the value that its registered parser makes", async () => {
  const host = await createHost({ servers: { desk: client }, schemas });
  const query = createSingleStep(host, { allow: ["desk.read"] }).startQuery();
  const outcome = await query.call({ tool: "desk.read" });
  if (outcome.code !== "complete") return;
  expectTypeOf(outcome.value).toEqualTypeOf<{ title: string; opened: Date }>();
  const found = await query.call({ tool: "docs.search", arguments: {} });
  if (found.code === "complete") expectTypeOf(found.value).toEqualTypeOf<string[]>();
});

it("gives a call without a parser an unknown value", async () => {
  const host = await createHost({ servers: { desk: client }, schemas });
  const outcome = await createSingleStep(host).startQuery().call({ tool: "desk.close" });
  if (outcome.code === "complete") expectTypeOf(outcome.value).toBeUnknown();
});

it("takes any host, and says nothing of the value where the outcome is not typed", async () => {
  const query = createSingleStep({} as Host).startQuery();
  const outcome = await query.call({ tool: { server: "desk", name: "read" } });
  if (outcome.code === "complete") expectTypeOf(outcome.value).toBeUnknown();
  if (outcome.code === "untyped-output") expectTypeOf(outcome).not.toHaveProperty("value");
  if (outcome.verdict === "block") expectTypeOf(outcome).not.toHaveProperty("hop");
});
