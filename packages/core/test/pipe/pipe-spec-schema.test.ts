import { expect, it } from "vitest";
import * as z from "zod/mini";
import { pipeSpecSchema } from "../../src/index.ts";
import { pipeSpec } from "../../src/pipe/pipe-spec.ts";

it("says of a spec what the schema that parses it says", () => {
  const { $schema: _, ...made } = z.toJSONSchema(pipeSpec, {
    override({ jsonSchema }) {
      // Both say what every JSON object is.
      delete jsonSchema.propertyNames;
      if (typeof jsonSchema.additionalProperties === "object")
        delete jsonSchema.additionalProperties;
    },
  });
  expect(JSON.parse(JSON.stringify(made).replaceAll("__schema0", "step"))).toEqual(
    pipeSpecSchema(),
  );
});
