import type { Host, HostTool, JsonObject } from "@toolrail/core";
import type { InputSchema } from "./sdk-types.ts";

const SDK_SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * The tool's own input schema, unchanged, checked as the door will check it: what a model gets wrong
 * is then the SDK's invalid-input error, and nothing is sent.
 */
export function toInputSchema(host: Host, tool: HostTool): InputSchema {
  const parse = (value: unknown) => {
    const error = host.checkArguments({ tool, arguments: value as JsonObject });
    return error ? { error } : { value: value as JsonObject };
  };
  const schema: InputSchema = {
    jsonSchema: tool.inputSchema,
    validate(value) {
      const { error, value: input } = parse(value);
      return error ? { success: false, error } : { success: true, value: input };
    },
    "~standard": {
      version: 1,
      vendor: "toolrail",
      validate(value) {
        const { error, value: input } = parse(value);
        return error ? { issues: [{ message: error.message }] } : { value: input };
      },
    },
  };
  return Object.assign(schema, { [SDK_SCHEMA]: true });
}

/** A schema to show a model, where the tool itself says what is wrong with an input. */
export function anyObject(jsonSchema: JsonObject): InputSchema {
  const schema: InputSchema = {
    jsonSchema,
    validate: (value) => ({ success: true, value: value as JsonObject }),
    "~standard": {
      version: 1,
      vendor: "toolrail",
      validate: (value) => ({ value: value as JsonObject }),
    },
  };
  return Object.assign(schema, { [SDK_SCHEMA]: true });
}
