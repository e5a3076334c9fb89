import { isJsonObject } from "../json/json.ts";
import { pathKey } from "../json/path.ts";
import { READ_TOOL_NAME } from "./read-tool.ts";

export interface NoticeParts {
  /** The id of the stored result, or `undefined` if it is too large to store. */
  readonly id: string | undefined;
  /** True if the model has `read_result`. */
  readonly canRead: boolean;
  readonly previewLength: number;
}

/** Writes the notice that replaces a long text: its beginning, cut at a line, and how to pass it on. */
export function textNotice(text: string, { path, ...parts }: NoticeParts & { path: string }) {
  const start = text.slice(0, parts.previewLength).replace(/[\ud800-\udbff]$/, "");
  const lastLine = start.lastIndexOf("\n");
  const preview = lastLine > start.length / 2 ? start.slice(0, lastLine) : start;
  const [all, first] = [text, preview].map(({ length }) => length.toLocaleString("en"));
  const end = `End of the preview. ${passOn("the whole on by writing this as the argument:", { path, ...parts })}`;
  return `[${all} characters of text, ${keptAs(parts)}. The first ${first}:]\n${preview}\n[${end}]`;
}

/** Writes the notice that replaces a long structured value: its shape, and how to pass parts of it on. */
export function shapeNotice(value: unknown, { path, ...parts }: NoticeParts & { path: string }) {
  const isLong = (inner: unknown) => (JSON.stringify(inner) ?? "").length > 60;
  const example = isJsonObject(value) && Object.keys(value).find((key) => isLong(value[key]));
  const examplePath = example ? path + pathKey(example) : path;
  const what = `A long result, ${keptAs(parts)}. Its shape, with the first item of each list:`;
  return `[${what}]\n${outline(value)}\n[${passOn("a part on by writing its path as the argument, such as", { path: examplePath, ...parts })}]`;
}

export function mediaNotice(
  { data, mimeType }: { readonly data: string; readonly mimeType: string | undefined },
  { path, ...parts }: NoticeParts & { path: string },
): string {
  const what = `${mimeType ?? "data"} of ${Math.ceil((data.length * 3) / 4096)} KB`;
  return `[${what}, ${keptAs(parts)}. ${passOn("it on by writing this as the argument:", { path, ...parts, canRead: false })}]`;
}

export function keptAs({ id }: NoticeParts): string {
  return id === undefined ? "too large to be kept" : `kept as ${id}`;
}

function passOn(what: string, { id, path, canRead }: NoticeParts & { path: string }): string {
  if (id === undefined) return "Ask the tool for less.";
  const more = canRead ? `, or read more with ${READ_TOOL_NAME}` : "";
  return `Pass ${what} \${${id}${path}}${more}.`;
}

const MAX_DEPTH = 3;
const MAX_KEYS = 20;
const MAX_TEXT = 60;
const MAX_LENGTH = 1_200;

/** Outlines a value in a limited number of lines: a few keys of each object, one item of each list. */
export function outline(value: unknown): string {
  const lines: string[] = [];
  let left = MAX_LENGTH;
  const add = (line: string): boolean => {
    left -= line.length + 1;
    if (left >= 0) lines.push(line);
    return left >= 0;
  };
  const walk = (node: unknown, { name, depth }: { name: string; depth: number }): boolean => {
    const indent = "  ".repeat(depth);
    if (!add(`${indent}${name}${name && " "}${brief(node)}`)) return false;
    if (depth === MAX_DEPTH || typeof node !== "object" || node === null) return true;
    const entries = Array.isArray(node) ? node.slice(0, 1).entries() : membersOf(node);
    for (const [key, inner] of entries) {
      const place = typeof key === "number" ? `[${key}]` : pathKey(key);
      if (!walk(inner, { name: place, depth: depth + 1 })) return false;
    }
    const rest = Array.isArray(node) ? 0 : Object.keys(node).length - MAX_KEYS;
    return rest <= 0 || add(`${indent}  … ${rest} more`);
  };
  if (!walk(value, { name: "", depth: 0 })) lines.push("… and more");
  return lines.join("\n");
}

function membersOf(node: object): [string, unknown][] {
  const keys = isJsonObject(node) ? Object.keys(node).slice(0, MAX_KEYS) : [];
  return keys.map((key) => [key, (node as Record<string, unknown>)[key]]);
}

function brief(node: unknown): string {
  if (Array.isArray(node)) return `list of ${node.length}`;
  if (typeof node === "object" && node !== null) return `object of ${Object.keys(node).length}`;
  if (typeof node !== "string") return String(node);
  const start = JSON.stringify(node.slice(0, MAX_TEXT));
  return node.length > MAX_TEXT ? `text of ${node.length}: ${start}…` : start;
}
