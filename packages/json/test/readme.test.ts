import { expect, it } from "vitest";
import { createValidator } from "../src/schema/validator.ts";

it("validates a value as the README shows", () => {
  const schema = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  const value = { id: "seven" };

  const validate = createValidator().getValidator(schema);
  const { valid, errorMessage } = validate(value);

  expect(valid).toBe(false);
  expect(errorMessage).toContain("id");
});
