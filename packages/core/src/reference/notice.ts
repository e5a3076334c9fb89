import { isJsonObject } from "../json.ts";
import { pathKey } from "../path.ts";
import { outline } from "./outline.ts";

/** The name of the tool by which a model reads more of what it was shown the beginning of. */
export const READ_TOOL_NAME = "read_result";

/** What a notice tells of besides the value. */
export interface NoticeParts {
  /** Under which the result is kept. `undefined` where it is too large to be kept. */
  readonly id: string | undefined;
  /** Whether the model has `read_result`. */
  readonly canRead: boolean;
  /** Most characters of a text that are shown. */
  readonly previewLength: number;
}

/** What a model reads in the place of a long text: its beginning, cut at a line, and how to pass it on. */
export function textNotice(text: string, { path, ...parts }: NoticeParts & { path: string }) {
  const preview = beginningOf(text, parts.previewLength);
  const what = `${text.length.toLocaleString("en")} characters of text, ${keptAs(parts)}`;
  const first = `The first ${preview.length.toLocaleString("en")}:`;
  const end =
    parts.id === undefined
      ? "Ask the tool for less to read more."
      : `Pass the whole on by writing \${${parts.id}${path}} as the argument${orRead(parts)}.`;
  return `[${what}. ${first}]\n${preview}\n[End of the preview. ${end}]`;
}

/** What a model reads in the place of a long structured value: its shape, and how to pass parts of it on. */
export function shapeNotice(value: unknown, { path, ...parts }: NoticeParts & { path: string }) {
  const what = `[A long result, ${keptAs(parts)}. Its shape, with the first item of each list:]`;
  const example = `\${${parts.id}${path}${firstStructure(value)}}`;
  const end =
    parts.id === undefined
      ? "Ask the tool for less."
      : `Pass a part on by writing its path as the argument, such as ${example}${orRead(parts)}.`;
  return `${what}\n${outline(value)}\n[${end}]`;
}

/** What a model reads beside media, or in their place. `data` is base64. */
export function mediaNotice(
  { data, mimeType = "application/octet-stream" }: { data: string; mimeType?: string | undefined },
  { id, path }: { readonly id: string; readonly path: string },
): string {
  const size = `${Math.ceil((data.length * 3) / 4 / 1024).toLocaleString("en")} KB`;
  return `[${mimeType} of ${size}, kept as ${id}. Pass it on by writing \${${id}${path}} as the argument.]`;
}

/** What a model reads in the place of all further blocks. */
export function restNotice(count: number, parts: NoticeParts): string {
  const more = parts.id === undefined ? "" : `: see ${parts.id}.content${orRead(parts)}`;
  return `[${count} more blocks, ${keptAs(parts)}${more}.]`;
}

function keptAs({ id }: NoticeParts): string {
  return id === undefined ? "too large to be kept" : `kept as ${id}`;
}

function orRead({ canRead }: NoticeParts): string {
  return canRead ? `, or read more with ${READ_TOOL_NAME}` : "";
}

/** As many whole lines as there is room for; where the last line would take half of it, a part of that. */
function beginningOf(text: string, most: number): string {
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const lastLine = start.lastIndexOf("\n");
  return lastLine > most / 2 ? start.slice(0, lastLine) : start;
}

/** The path of the first list, object or long text in a value, as an example. */
function firstStructure(value: unknown): string {
  if (!isJsonObject(value)) return "";
  const key = Object.keys(value).find((one) => (JSON.stringify(value[one]) ?? "").length > 60);
  return key === undefined ? "" : pathKey(key);
}
