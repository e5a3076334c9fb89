import { z } from "zod";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, wellFormed } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import { jsonObject, readShape } from "../json/shape.ts";

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
 * Parses the answer to `tools/call`. Missing `content` counts as empty. Throws `malformed-result`, also for one that is
 * too large, and for an interim result (a `resultType` other than `complete`, revision 2026-07-28).
 */
export function parseCallToolResult(raw: unknown, { tool, limits }: ParseOptions): CallToolResult {
  const { maxResultBytes: maxBytes, maxValueDepth: maxDepth } = limits;
  const size = measure(raw, { maxBytes, maxDepth });
  if (size) throw malformed(tool, size);
  const { value, defect } = readShape(RESULT, raw);
  if (defect !== undefined) throw malformed(tool, defect);
  const type = readResultType(value);
  if (type !== "complete") {
    const name = quoted(JSON.stringify(type));
    throw malformed(tool, `it is an interim result (${name}), which this host does not support`);
  }
  for (const [at, block] of value.content.entries()) {
    const wrong = contentBlockDefect(block);
    if (wrong) throw malformed(tool, `content[${at}] is not a content block: ${wrong}`);
  }
  return wellFormed(value) as CallToolResult;
}

function malformed(tool: string, why: string): ToolrailError {
  const message = `${tool} was called, but its result was dropped: ${why}. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}

const RESULT = /* @__PURE__ */ z.looseObject({
  content: z.array(z.unknown()).default([]),
  isError: z.boolean().optional(),
  _meta: jsonObject.optional(),
});

/** The key by which a server gives the model a text as soon as a task begins (MCP 2025-11-25). */
const IMMEDIATE = "io.modelcontextprotocol/model-immediate-response";

/** Returns the `resultType`. Some clients drop it: it is then derived from the other members of an interim result. */
function readResultType(raw: JsonObject): unknown {
  const { resultType, task, _meta } = raw;
  if (resultType !== undefined) return resultType;
  const stage = isJsonObject(task) ? (task.status ?? "working") : raw.status;
  const asks = raw.inputRequests !== undefined || raw.requestState !== undefined;
  if (asks || stage === "input_required") return "input_required";
  const isBegun = isJsonObject(_meta) && Object.hasOwn(_meta, IMMEDIATE);
  return stage === "working" || isBegun ? "task" : "complete";
}

/** The reader of a content block: the user, or the model (`"assistant"`), in the terms of MCP. */
export type Audience = "user" | "assistant";

/** A content block of MCP (2025-11-25 and 2026-07-28). Blocks of unknown types are kept unchanged. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly description?: string;
  readonly resource?: EmbeddedResource;
  readonly annotations?: { readonly audience?: readonly Audience[] };
  readonly _meta?: JsonObject;
}

/** The content of a resource, as text or in base64. @inline */
export interface EmbeddedResource {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

const words = /* @__PURE__ */ z.string();
const mimeType = /* @__PURE__ */ words.optional();
/** Some servers write `null` for omitted members, and a single audience as a string. */
const annotations = /* @__PURE__ */ z
  .object({ audience: z.union([words, z.array(z.unknown())]).nullish() })
  .nullish();

const RESOURCE = { uri: words, mimeType, text: words.optional(), blob: words.optional() };
/** The members that MCP requires and allows, for each type of block. */
const MEMBERS = new Map<string, z.ZodRawShape>([
  ["text", { text: words }],
  ["image", { data: words, mimeType: words }],
  ["audio", { data: words, mimeType: words }],
  [
    "resource_link",
    { uri: words, name: words.optional(), description: words.optional(), mimeType },
  ],
  [
    "resource",
    {
      resource: z
        .object(RESOURCE)
        .refine(({ text, blob }) => (text ?? blob) !== undefined, "has neither text nor blob"),
    },
  ],
]);
const BLOCKS = new Map(
  [...MEMBERS].map(([type, members]) => [type, z.object({ ...members, annotations })]),
);
const OTHER = /* @__PURE__ */ z.object({ type: words, annotations });

/** Returns the reason why a value is not a content block, as the end of a sentence, or `undefined` if it is one. */
export function contentBlockDefect(block: unknown): string | undefined {
  const schema = BLOCKS.get(Object(block).type) ?? OTHER;
  return readShape<unknown>(schema, block).defect;
}

/** Returns a block with only the members that MCP defines for its type, without annotations and `_meta`. */
export function plainBlock(block: ContentBlock): ContentBlock {
  const { type, resource } = block;
  if (type === "resource" && resource) return { type, resource: pick(resource, RESOURCE) };
  return { type, ...pick(block, MEMBERS.get(type) ?? {}) };
}

function pick<Value extends object>(value: Value, members: object): Partial<Value> {
  const picked: Partial<Value> = {};
  for (const name of Object.keys(members) as (keyof Value)[]) {
    if (value[name] !== undefined) picked[name] = value[name];
  }
  return picked;
}

/** A block without an audience is for everyone. */
const isFor =
  (audience: Audience) =>
  ({ annotations }: ContentBlock): boolean =>
    annotations?.audience == null || [annotations.audience].flat().includes(audience);

export const isForUser = /* @__PURE__ */ isFor("user");
export const isForModel = /* @__PURE__ */ isFor("assistant");

interface Content {
  readonly content: readonly ContentBlock[];
}

/** Returns true if there is content, and none of it is for the model. Then neither is `structuredContent`. */
export function isForUserAlone({ content }: Content): boolean {
  return content.length > 0 && !content.some(isForModel);
}

/** Returns the text of all blocks that models may read. User-only blocks are left out. */
export function modelText({ content }: Content): string {
  const texts = content.flatMap((block) => {
    return block.type === "text" && block.text !== undefined && isForModel(block) ? block.text : [];
  });
  return texts.join("\n");
}
