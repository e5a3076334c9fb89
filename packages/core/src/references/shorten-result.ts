import { isJsonObject, type JsonObject, measure } from "../json/json.ts";
import { pathKey } from "../json/path.ts";
import { shorten } from "../json/plain-text.ts";
import { type CallToolResult, type ContentBlock, isForModel } from "../result/call-tool-result.ts";
import { visibleBlocks } from "../result/model-view.ts";
import { type KeptResult, readText } from "./kept-results.ts";
import { READ_TOOL_NAME } from "./read-tool.ts";

const FOR_MODEL = { audience: ["assistant"] } as const;
/** The approximate number of characters of a long text that a model is shown. */
const MAX_PREVIEW = 1_000;

/** A long result: the part that is kept, and the blocks that a model would read. */
export interface LongResult {
  readonly kept: KeptResult;
  readonly view: readonly ContentBlock[];
  /** The index of the visible block that is the structured value, or -1. */
  readonly valueAt: number;
}

/** What the notices of a result say of it. */
interface Shortening {
  readonly id: string;
  /** True if the model has `read_result`. */
  readonly canRead: boolean;
  /** The length from which results are shortened. */
  readonly minLength: number;
}

/** Collects everything that a model may read of a result. Returns `undefined` if it is short. */
export function toLongResult(result: CallToolResult, minLength: number): LongResult | undefined {
  const view = visibleBlocks(result);
  if (lengthOf(view) <= minLength) return undefined;
  const { structuredContent, ...rest } = result;
  const content = visibleBlocks(rest);
  const [only, ...more] = content.filter((block) => readText(block) !== undefined);
  const parsed = only && more.length === 0 ? parseStructure(readText(only)) : undefined;
  const structured = structuredContent ?? parsed;
  const isApart = view.length > content.length;
  const textAt = only && parsed !== undefined ? content.indexOf(only) : -1;
  const kept = { content, ...(structured !== undefined && { structured }) };
  return { view, valueAt: isApart ? content.length : textAt, kept };
}

/** Replaces long texts and structures of a result by notices. Keeps content for the user alone. */
export function shortenResult(
  result: CallToolResult,
  { view, valueAt, kept }: LongResult,
  shortening: Shortening,
): CallToolResult {
  const { structuredContent: _, ...rest } = result;
  const { id, minLength } = shortening;
  const hasOneText = kept.content.filter((block) => readText(block) !== undefined).length === 1;
  const content: ContentBlock[] = [];
  let room = minLength;
  for (const [at, block] of view.entries()) {
    if (room <= 0) {
      const text = `[${view.length - at} more blocks, kept as ${id}: see ${id}.content]`;
      content.push({ type: "text", text, annotations: FOR_MODEL });
      break;
    }
    const place = hasOneText ? "" : `.content[${at}]${block.resource ? ".resource" : ""}`;
    const value = at === valueAt ? kept.structured : undefined;
    const notice = toNotice(block, { ...shortening, path: `${place}.text` }, value);
    // A structured value is not shown to the user.
    const { annotations } = at < kept.content.length ? block : { annotations: FOR_MODEL };
    const shown: ContentBlock = notice === undefined ? block : { type: "text", text: notice };
    room -= lengthOf([shown]);
    content.push({ ...shown, ...(annotations && { annotations }) });
  }
  return { ...rest, content: [...content, ...result.content.filter((one) => !isForModel(one))] };
}

interface Site extends Shortening {
  /** The path of the block's text. */
  readonly path: string;
}

/** Writes the notice on a long block. `value` is the structured value if the block is its JSON. */
function toNotice(block: ContentBlock, site: Site, value?: unknown): string | undefined {
  const text = readText(block) ?? "";
  const previewLength = Math.min(MAX_PREVIEW, Math.ceil(site.minLength / 4));
  if (text.length <= 2 * previewLength) return undefined;
  if (value !== undefined) return shapeNotice(value, site);
  // No half of a pair: some providers refuse it.
  const start = text.slice(0, previewLength).replace(/[\ud800-\udbff]$/, "");
  const end = start.lastIndexOf("\n");
  const preview = end > start.length / 2 ? start.slice(0, end) : start;
  const [all, first] = [text, preview].map(({ length }) => length.toLocaleString("en"));
  const head = `${all} characters of text, kept as ${site.id}. The first ${first}:`;
  const how = passOn("the whole on by writing this as the argument:", site.path, site);
  return `[${head}]\n${preview}\n[End of the preview. ${how}]`;
}

function shapeNotice(value: unknown, site: Site): string {
  const isLong = (inner: unknown) => measure(inner, { maxBytes: MAX_TEXT, maxDepth: MAX_TEXT });
  const example = isJsonObject(value) && Object.keys(value).find((key) => isLong(value[key]));
  const path = `.structured${example ? pathKey(example) : ""}`;
  const head = `A long result, kept as ${site.id}. Its shape, with the first item of each list:`;
  const shape = shorten(outline(value).join("\n"), MAX_SHAPE);
  const how = passOn("a part on by writing its path as the argument, such as", path, site);
  return `[${head}]\n${shape}\n[${how}]`;
}

function passOn(what: string, path: string, { id, canRead }: Shortening): string {
  return `Pass ${what} \${${id}${path}}${canRead ? `, or read more with ${READ_TOOL_NAME}` : ""}.`;
}

const MAX_DEPTH = 3;
const MAX_KEYS = 20;
const MAX_TEXT = 60;
const MAX_LINE = 200;
const MAX_SHAPE = 1_200;

/** Outlines a value in lines: a few keys of each object, and the first item of each list. */
function outline(value: unknown, name = "", depth = 0): readonly string[] {
  const indent = "  ".repeat(depth);
  const line = indent + shorten(`${name} ${brief(value)}`.trimStart(), MAX_LINE);
  if (depth === MAX_DEPTH || typeof value !== "object" || value === null) return [line];
  const keys = Array.isArray(value) ? (value.length > 0 ? [0] : []) : Object.keys(value);
  const inner = keys.slice(0, MAX_KEYS).flatMap((key) => {
    return outline((value as JsonObject)[key], pathKey(key), depth + 1);
  });
  const more = keys.length - MAX_KEYS;
  return [line, ...inner, ...(more > 0 ? [`${indent}  … ${more} more`] : [])];
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (isJsonObject(value)) return `object of ${Object.keys(value).length}`;
  if (typeof value !== "string") return String(value);
  const start = JSON.stringify(value.slice(0, MAX_TEXT));
  return value.length > MAX_TEXT ? `text of ${value.length}: ${start}…` : start;
}

function parseStructure(text = ""): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lengthOf(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + (readText(block)?.length ?? 0), 0);
}
