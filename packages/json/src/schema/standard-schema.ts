import type { StandardSchemaV1 } from "@standard-schema/spec";
import { createValidator } from "#validator";
import type { JsonObject } from "../json.ts";
import type { JsonSchemaValidator, JsonSchemaVerdict } from "./check-schema.ts";

/**
 * Makes a JSON Schema a Standard Schema (version 1), for `createHost({ schemas })`. It checks values and
 * leaves them as they are: that they are of type `T` is the caller's word. The schema is compiled when it
 * is first used; `validate` throws `invalid-schema` if it cannot be.
 */
export function toStandardSchema<T>(
  schema: JsonObject,
  validator: JsonSchemaValidator = createValidator(),
): StandardSchemaV1<T> {
  let check: ((input: unknown) => JsonSchemaVerdict) | undefined;
  return {
    "~standard": {
      version: 1,
      vendor: "toolrail",
      validate(value) {
        check ??= validator.getValidator(schema);
        const verdict = check(value);
        if (verdict.valid) return { value: verdict.data as T };
        return { issues: [{ message: verdict.errorMessage }] };
      },
    },
  };
}
