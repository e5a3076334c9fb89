import { isJsonObject, type JsonObject } from "../json/json.ts";

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

interface Members {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

/** The members of each type of block that MCP requires and allows. */
const MEMBERS: ReadonlyMap<string, Members> = new Map([
  ["text", { required: ["text"] }],
  ["image", { required: ["data", "mimeType"] }],
  ["audio", { required: ["data", "mimeType"] }],
  ["resource_link", { required: ["uri"], optional: ["name", "description", "mimeType"] }],
]);
const RESOURCE: Members = { required: ["uri"], optional: ["mimeType", "text", "blob"] };
const UNKNOWN: Members = { required: [] };

/** Returns the reason why a value is not a content block, as the end of a sentence, or `undefined` if it is one. */
export function contentBlockDefect(block: unknown): string | undefined {
  if (!isJsonObject(block) || typeof block.type !== "string") return "it has no type";
  const { type, annotations, resource } = block;
  if (annotations != null && !isAnnotations(annotations)) {
    return "its annotations are not an object with a list as `audience`";
  }
  if (type !== "resource") return memberDefect(block, MEMBERS.get(type) ?? UNKNOWN);
  if (!isJsonObject(resource)) return "it has no `resource`";
  const { text, blob } = resource;
  if (text === undefined && blob === undefined) return "its resource has neither text nor blob";
  return memberDefect(resource, RESOURCE);
}

/** Returns a block with only the members that MCP defines for its type, without annotations and `_meta`. */
export function plainBlock(block: ContentBlock): ContentBlock {
  const { type, resource } = block;
  if (type === "resource" && resource) return { type, resource: pick(resource, RESOURCE) };
  return { type, ...pick(block, MEMBERS.get(type) ?? UNKNOWN) };
}

function memberDefect(value: JsonObject, { required, optional = [] }: Members): string | undefined {
  const bad =
    required.find((name) => typeof value[name] !== "string") ??
    optional.find((name) => value[name] !== undefined && typeof value[name] !== "string");
  return bad && `its \`${bad}\` is not a string`;
}

function pick(value: object, { required, optional = [] }: Members): JsonObject {
  const picked: Record<string, unknown> = {};
  for (const names of [required, optional]) {
    for (const name of names)
      if (Object.hasOwn(value, name)) picked[name] = (value as JsonObject)[name];
  }
  return picked;
}

/** Some servers write `null` for omitted members, and a single audience as a string. */
function isAnnotations(annotations: unknown): boolean {
  if (!isJsonObject(annotations)) return false;
  const { audience } = annotations;
  return audience == null || typeof audience === "string" || Array.isArray(audience);
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
