import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchemaValidator, JsonSchemaVerdict } from "./check-schema.ts";
import type { JsonObject } from "./json.ts";
import { createValidator } from "./validator.ts";

/**
 * Converts a JSON Schema to a Standard Schema (version 1), for `createHost({ schemas })`. It checks values and does not change
 * them. The caller vouches that valid values are of type `T`. The schema is compiled when it is first used, so that `validate`
 * throws `invalid-schema` if that fails.
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
