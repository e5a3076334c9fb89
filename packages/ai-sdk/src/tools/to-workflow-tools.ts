import type { JsonObject } from "@toolrail/json";
import { mapSubschemas } from "@toolrail/json/schema";
import type { SdkTool } from "../sdk-types.ts";

/** The tools by their names. Their calls return a promise of the output. */
export type WorkflowTools<Output> = Record<string, SdkTool<Output, Promise<Output>>>;

/**
 * Converts tools of `createTools` and `createPipeTool` for `WorkflowAgent` of `@ai-sdk/workflow`, which awaits a
 * result and does not iterate over it. A call returns its last output, without progress. That agent cannot compile
 * every schema of a server, so models read simpler ones. The host checks arguments by the server's schema.
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

/** Simplifies a schema so that a strict validator compiles it. The result accepts everything that the schema accepts. */
function toLooseSchema(schema: JsonObject): JsonObject {
  const { oneOf, ...node } = mapSubschemas(schema, toLooseSchema);
  // Several branches may match after keywords are removed.
  const loose: JsonObject = { ...node, ...(oneOf !== undefined && { anyOf: oneOf }) };
  const kept = Object.entries(loose).filter(([key, value]) => {
    if (key === "$ref") return /^#\/(\$defs|definitions)\/[^/]+$/.test(String(value));
    if (key === "additionalProperties") return !("patternProperties" in loose);
    return key === "items" ? !("prefixItems" in loose) : isKept.has(key);
  });
  return { ...Object.fromEntries(kept), ...("prefixItems" in loose && { items: {} }) };
}
