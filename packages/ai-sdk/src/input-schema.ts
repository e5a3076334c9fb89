import type { Host, HostTool, JsonObject } from "@toolrail/core";
import type { InputSchema } from "./sdk-types.ts";

const SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * The tool's own input schema, unchanged, checked as the door will check it: what a model gets wrong
 * is then the SDK's invalid-input error, and nothing is sent.
 */
export function toInputSchema(host: Host, tool: HostTool): InputSchema {
  return toSchema(tool.inputSchema, (args) => host.checkArguments({ tool, arguments: args }));
}

/** A schema to show a model, where the tool itself says what is wrong with an input. */
export function anyObject(jsonSchema: JsonObject): InputSchema {
  return toSchema(jsonSchema, () => undefined);
}

function toSchema(
  jsonSchema: JsonObject,
  check: (value: JsonObject) => Error | undefined,
): InputSchema {
  const schema: InputSchema = {
    jsonSchema,
    validate(value) {
      const error = check(value as JsonObject);
      return error ? { success: false, error } : { success: true, value: value as JsonObject };
    },
    "~standard": {
      version: 1,
      vendor: "toolrail",
      validate(value) {
        const error = check(value as JsonObject);
        return error ? { issues: [{ message: error.message }] } : { value: value as JsonObject };
      },
    },
  };
  return Object.assign(schema, { [SDK_SCHEMA]: true });
}
