import type { JsonObject } from "../json.ts";

const name = { type: "string", minLength: 1 };
const values = { type: "object" };
const steps = { type: "array", items: { $ref: "#/$defs/step" }, minItems: 1 };

/**
 * The JSON Schema (2020-12) of a pipe spec. Written out, since the part of zod that would make it from
 * `pipeSpec` weighs more in a bundle than all pipes do: a test compares the two.
 */
export function pipeSpecSchema(): JsonObject {
  return {
    ...strictObject({
      vars: values,
      steps,
      return: {},
      continue_on_error: { type: "boolean" },
    }),
    required: ["steps"],
    $defs: {
      step: {
        anyOf: [
          { ...strictObject({ id: name, tool: name, args: values }), required: ["id", "tool"] },
          { ...strictObject({ id: name, parallel: steps }), required: ["id", "parallel"] },
          { ...strictObject({ id: name, pipe: { $ref: "#" } }), required: ["id", "pipe"] },
        ],
      },
    },
  };
}

function strictObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, additionalProperties: false };
}
