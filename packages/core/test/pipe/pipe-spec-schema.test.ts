import { expect, it } from "vitest";
import * as z from "zod/mini";
import { pipeSpecSchema } from "../../src/index.ts";
import { pipeSpec } from "../../src/pipe/pipe-spec.ts";

/** Made here and not at run time: what makes it weighs more in a bundle than all pipes do. */
it("is made from the schema that parses a spec: after a change, run this test with -u", async () => {
  const { $schema: _, ...made } = z.toJSONSchema(pipeSpec, {
    override({ jsonSchema }) {
      // Both say what every JSON object is, and cost a model tokens.
      delete jsonSchema.propertyNames;
      if (typeof jsonSchema.additionalProperties === "object")
        delete jsonSchema.additionalProperties;
    },
  });
  const text = JSON.stringify(made, null, 2).replaceAll("__schema0", "step");
  await expect(`${text}\n`).toMatchFileSnapshot("../../src/pipe/pipe-spec.schema.json");
  expect(pipeSpecSchema()).toEqual(JSON.parse(text));
});

it("is a new object each time, so that nobody changes another's", () => {
  const schema = pipeSpecSchema();
  delete (schema.properties as { steps?: unknown }).steps;
  expect(pipeSpecSchema().properties).toHaveProperty("steps");
});
