import type { JsonObject } from "@toolrail/json";
import type { PipeReply, PipeResult } from "@toolrail/pipe";

/** The rest of the definition of `mcp_pipe` in `tools/list`. */
export const SHOWN: JsonObject = {
  title: "Run a pipe of tools",
  // A pipe does whatever its steps do, so it promises nothing.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  outputSchema: {
    type: "object",
    properties: { ok: { type: "boolean" }, error: { type: "string" }, result: {} },
    required: ["ok", "error"],
  },
};

/** Converts a reply to the result of a call. The results of all steps are in `_meta`, which no model reads. */
export function toReplyResult(reply: PipeReply, steps: PipeResult["steps"]): JsonObject {
  return {
    content: [{ type: "text", text: JSON.stringify(reply) }],
    structuredContent: reply,
    isError: !reply.ok,
    _meta: { "toolrail/steps": steps },
  };
}
