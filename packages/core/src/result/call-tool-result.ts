import { ToolrailError } from "../errors.ts";
import type { Limits } from "../host/limits.ts";
import { isJsonObject, type JsonObject, measure } from "../json.ts";

export type Audience = "user" | "assistant";

/** A content block of MCP (2025-11-25 and 2026-07-28); types unknown to us are kept as they came. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly description?: string;
  readonly resource?: {
    readonly uri?: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
  readonly annotations?: { readonly audience?: readonly Audience[] };
  readonly _meta?: JsonObject;
}

/** The result of `tools/call`, as the server sent it. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** Any JSON value since revision 2026-07-28, an object before. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/**
 * Takes the answer to `tools/call` from a stranger. Missing `content` counts as empty.
 * Throws `unsupported-result` for an interim result (`resultType` other than `complete`, revision
 * 2026-07-28), `result-too-large`, and `malformed-result`.
 */
export function parseCallToolResult(raw: unknown, tool: string, limits: Limits): CallToolResult {
  const malformed = (why: string) =>
    new ToolrailError("malformed-result", `${tool} sent no tool result: ${why}.`);
  if (!isJsonObject(raw)) throw malformed("it is not an object");
  const size = measure(raw, { maxBytes: limits.maxResultBytes, maxDepth: limits.maxValueDepth });
  if (size) {
    throw new ToolrailError("result-too-large", `The result of ${tool} was dropped: ${size}.`);
  }
  const { content = [], isError, _meta } = raw;
  const resultType = resultTypeOf(raw);
  if (resultType !== "complete") {
    throw new ToolrailError(
      "unsupported-result",
      `${tool} sent an interim result (${JSON.stringify(resultType)}) that this host does not fulfil.`,
      { data: { resultType } },
    );
  }
  if (!Array.isArray(content)) throw malformed("`content` is not an array");
  if (!content.every(isContentBlock)) throw malformed("a block of `content` has no type");
  if (isError !== undefined && typeof isError !== "boolean") {
    throw malformed("`isError` is not true or false");
  }
  if (_meta !== undefined && !isJsonObject(_meta)) throw malformed("`_meta` is not an object");
  return { ...raw, content } as CallToolResult;
}

/** Some clients take `resultType` off on the way: what such a result asks for still tells it. */
function resultTypeOf({ resultType, inputRequests, content, task }: JsonObject): unknown {
  if (resultType !== undefined) return resultType;
  if (inputRequests !== undefined) return "input_required";
  return content === undefined && isJsonObject(task) ? "task" : "complete";
}

function isContentBlock(block: unknown): block is ContentBlock {
  return isJsonObject(block) && typeof block.type === "string";
}
