import type { JsonObject } from "@toolrail/json";
import type { PipeReply, PipeResult } from "@toolrail/pipe";
import { toPipeOutput } from "@toolrail/pipe/engine";

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
    properties: {
      ok: { type: "boolean" },
      error: { type: "string" },
      result: {},
      steps: { type: "object" },
    },
    required: ["ok", "error", "steps"],
  },
};

/** Converts a reply to the result of a call. Its text is the short reply, and its structured content has all steps. */
export function toReplyResult(reply: PipeReply, steps: PipeResult["steps"]): JsonObject {
  return {
    content: [{ type: "text", text: JSON.stringify(reply) }],
    structuredContent: toPipeOutput(reply, steps),
    isError: !reply.ok,
  };
}
