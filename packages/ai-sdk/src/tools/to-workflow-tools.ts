import type { JsonObject } from "@toolrail/json";
import { mapSubschemas } from "@toolrail/json/schema";
import type { SdkTool } from "../sdk-types.ts";

/** Tools by their names, whose calls give a promise of their output. */
export type WorkflowTools<Output> = Record<string, SdkTool<Output, Promise<Output>>>;

/**
 * Tools of `createTools` and `createPipeTool` for `WorkflowAgent` of `@ai-sdk/workflow`, which waits for a promise where
 * the SDK iterates: a call gives its last output, and no progress. That agent cannot compile every schema that servers
 * list, so that the model is offered simpler ones; the host checks arguments by the server's own.
 */
export function toWorkflowTools<Output>(
  tools: Readonly<Record<string, SdkTool<Output, AsyncIterable<Output> | PromiseLike<Output>>>>,
): WorkflowTools<Output> {
  const convert = (tool: (typeof tools)[string]): WorkflowTools<Output>[string] => ({
    ...tool,
    inputSchema: { ...tool.inputSchema, jsonSchema: toLooseSchema(tool.inputSchema.jsonSchema) },
    async execute(input, options) {
      const running = tool.execute(input, options);
      if (!(Symbol.asyncIterator in running)) return running;
      let last: Output | undefined;
      for await (const output of running) last = output;
      return last as Output;
    },
  });
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, convert(tool)]));
}

const KEPT =
  "type title description default enum const properties required additionalProperties items anyOf allOf $defs " +
  "definitions $ref minimum maximum minLength maxLength minItems maxItems";
const isKept = new Set(KEPT.split(" "));

/**
 * A schema with nothing in it that a validator with strict rules would refuse to compile, such as a `format`, a dialect
 * or a keyword that it does not know. It accepts all that the schema accepts.
 */
function toLooseSchema(schema: JsonObject): JsonObject {
  const { oneOf, ...node } = mapSubschemas(schema, toLooseSchema);
  // With less said in each branch, several may hold.
  const loose: JsonObject = { ...node, ...(oneOf !== undefined && { anyOf: oneOf }) };
  const kept = Object.entries(loose).filter(([key, value]) => {
    if (key === "$ref") return /^#\/(\$defs|definitions)\/[^/]+$/.test(String(value));
    if (key === "additionalProperties") return !("patternProperties" in loose);
    return key === "items" ? !("prefixItems" in loose) : isKept.has(key);
  });
  return { ...Object.fromEntries(kept), ...("prefixItems" in loose && { items: {} }) };
}
