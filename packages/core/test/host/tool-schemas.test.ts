import { expect, it } from "vitest";
import * as z from "zod";
import { createHost, type HostOptions } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

async function open(schemas: HostOptions["schemas"] = {}) {
  const { client } = await createTestServer({
    pay: { answer: () => ({ content: [], structuredContent: { id: "7" } }) },
  });
  return createHost({ servers: { bank: client }, schemas });
}

it("A schema parses the structured content of its tool.", async () => {
  const host = await open({ "bank.pay": z.object({ id: z.coerce.number() }) });
  const { output } = await host.call({ tool: "bank.pay" });
  expect(output).toEqual({ status: "valid", value: { id: 7 } });
});

it.each([
  ["a JSON Schema", { type: "object" }],
  ["a parser of arguments", { input: z.object({}) }],
  ["a function", () => true],
  ["nothing", null],
])("A host with %s in `schemas`, which would check nothing, is refused.", async (_, schema) => {
  await expect(open({ "bank.pay": schema as never })).rejects.toMatchObject({
    code: "invalid-options",
    message: expect.stringContaining("must be a Standard Schema"),
  });
});
