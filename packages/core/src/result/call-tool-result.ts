import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, wellFormed } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import { type ContentBlock, contentBlockDefect } from "./content-block.ts";

/** The result of `tools/call`, as the server sent it. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** The structured content: any JSON value since revision 2026-07-28, and an object before that. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

interface ParseOptions {
  readonly tool: string;
  readonly limits: { readonly maxResultBytes: number; readonly maxValueDepth: number };
}

/**
 * Parses the answer to `tools/call`. Missing `content` counts as empty. Throws `result-too-large`, `malformed-result`, and
 * `unsupported-result` for an interim result (a `resultType` other than `complete`, revision 2026-07-28).
 */
export function parseCallToolResult(raw: unknown, { tool, limits }: ParseOptions): CallToolResult {
  const malformed = (why: string) => {
    const message = `${tool} was called, but its result is invalid: ${why}. Fix the server.`;
    return new ToolrailError("malformed-result", message);
  };
  if (!isJsonObject(raw)) throw malformed("it is not an object");
  const size = measure(raw, { maxBytes: limits.maxResultBytes, maxDepth: limits.maxValueDepth });
  if (size) {
    const message = `${tool} was called, but its result was dropped: ${size}.`;
    throw new ToolrailError("result-too-large", message);
  }
  const { content = [], isError, _meta } = raw;
  const resultType = readResultType(raw);
  if (resultType !== "complete") {
    const message = `${tool} sent an interim result (${quoted(JSON.stringify(resultType))}) which this host does not support.`;
    throw new ToolrailError("unsupported-result", message, { data: { resultType } });
  }
  if (!Array.isArray(content)) throw malformed("`content` is not an array");
  for (let at = 0; at < content.length; at++) {
    const defect = contentBlockDefect(content[at]);
    if (defect) throw malformed(`\`content[${at}]\` is not a content block: ${defect}`);
  }
  if (isError !== undefined && typeof isError !== "boolean") {
    throw malformed("`isError` is not true or false");
  }
  if (_meta !== undefined && !isJsonObject(_meta)) throw malformed("`_meta` is not an object");
  return wellFormed({ ...raw, content }) as CallToolResult;
}

/** The key by which a server gives the model a text as soon as a task begins (MCP 2025-11-25). */
const IMMEDIATE = "io.modelcontextprotocol/model-immediate-response";

/** Returns the `resultType`. Some clients drop it: it is then derived from the other members of an interim result. */
function readResultType({
  resultType,
  inputRequests,
  requestState,
  task,
  status,
  _meta,
}: JsonObject) {
  if (resultType !== undefined) return resultType;
  const stage = isJsonObject(task) ? (task.status ?? "working") : status;
  const asks = inputRequests !== undefined || requestState !== undefined;
  if (asks || stage === "input_required") return "input_required";
  const isBegun = isJsonObject(_meta) && Object.hasOwn(_meta, IMMEDIATE);
  return stage === "working" || isBegun ? "task" : "complete";
}
