import { providerSchema } from "@toolrail/core/json";
import { expect, it } from "vitest";
import { createSingleStep } from "../../src/guard/index.ts";
import { createHost } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { createTestServer } from "../servers.ts";

const properties = { id: { type: "string" }, unit: { type: "string", default: "cm" } };
const inputSchema = { type: "object", properties, required: ["id", "unit"] };
const outputSchema = { type: "object" };
const measure = {
  definition: { inputSchema, outputSchema },
  answer: () => ({ content: [], structuredContent: { id: "b" } }),
};

async function openShop() {
  const shop = await createTestServer({ measure });
  const host = await createHost({ servers: { shop: shop.client } });
  return { host, sent: () => shop.seen.map((call) => call.arguments) };
}

it("A call may leave out an argument that is required and has a default, which is not sent.", async () => {
  const { host, sent } = await openShop();
  const chain = await host.run({ tool: "measure", arguments: { id: "a" } });
  expect(chain.ended).toBe("complete");
  expect(sent()).toEqual([{ id: "a" }]);
  const refused = await host.check({ tool: "measure", arguments: { unit: "m" } });
  expect(refused).toMatchObject({ type: "refuse", error: { code: "invalid-arguments" } });
});

it("A model is told that it may leave out what has a default.", async () => {
  const { host } = await openShop();
  const [tool] = host.tools;
  expect(providerSchema(tool?.inputSchema ?? {}).required).toEqual(["id"]);
});

it("A step of a pipe may leave out what has a default, also beside references.", async () => {
  const { host, sent } = await openShop();
  const steps = [
    { id: "a", tool: "measure", args: { id: "a" } },
    { id: "b", tool: "measure", args: { id: { $ref: "steps.a.structured.id" } } },
  ];
  expect(await runPipe(host, { spec: { steps } })).toMatchObject({ ok: true });
  expect(sent()).toEqual([{ id: "a" }, { id: "b" }]);
});

it("The single step of a guard may leave out what has a default.", async () => {
  const { host, sent } = await openShop();
  const guard = createSingleStep(host, { allow: ["shop.measure"], contract: "off" });
  const outcome = await guard.startQuery().call({ tool: "measure", arguments: { id: "a" } });
  expect(outcome).toMatchObject({ code: "complete" });
  expect(sent()).toEqual([{ id: "a" }]);
});
