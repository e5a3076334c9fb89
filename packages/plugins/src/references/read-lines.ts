import { isJsonObject, measure, pathKey, shorten } from "@toolrail/json";
import { parseStructure } from "./kept-result.ts";

/** Which part of a kept value to read. */
export interface LineRange {
  /** Only lines, or values, that contain it. */
  readonly find?: string | undefined;
  /** The first line to read, or to search. Counted from 0. */
  readonly start: number;
  /** The most lines, or lines that contain `find`. */
  readonly count: number;
  /** The address of the value. */
  readonly from: string;
}

/** A line of a text, or a value inside a larger one. */
interface Line {
  readonly text: string;
  /** The path of a value, from the value that is read. */
  readonly path?: string;
  /** The last key of this path. */
  readonly key?: string;
}

const MAX_LINE = 2_000;
const MAX_PATH = 300;
const MAX_LENGTH = 8_000;
/** The lines of a text that are shown before and after each line that contains `find`. */
const NEAR = 2;
const MAX_NEAR = 200;

/**
 * A part of a value for a model, at most 8,000 characters: lines of a text, or the values inside a list or an object, each
 * of them whole. The first line says what there is, and how to go on.
 */
export function readLines(value: unknown, range: LineRange): string {
  const text = typeof value === "string" ? value : undefined;
  const lines = text === undefined ? splitValue(value) : splitText(text);
  const what = text === undefined ? `values in ${shorten(range.from, MAX_PATH)}` : "lines";
  return range.find === undefined
    ? showLines(lines, { ...range, what })
    : showFound(lines, { ...range, what, find: range.find });
}

type Shown = LineRange & { readonly what: string };

function showLines(lines: readonly Line[], { start, count, what }: Shown): string {
  const shown = takeWhileRoom(lines.slice(start, start + count).map(showLine));
  const next = start + shown.length;
  const more = next < lines.length ? `; continue with start ${next}` : "";
  return [`[${lines.length} ${what}, ${shown.length} shown from ${start}${more}]`, ...shown].join(
    "\n",
  );
}

/** Each line that contains a text, with its number and, in a text, with the lines next to it. */
function showFound(
  lines: readonly Line[],
  { start, count, what, find }: Shown & { readonly find: string },
): string {
  const wanted = find.toLowerCase();
  const hits = lines.flatMap(({ key = "", text }, at) => {
    return `${key} ${text}`.toLowerCase().includes(wanted) ? at : [];
  });
  const first = hits.findIndex((at) => at >= start);
  const chosen = first < 0 ? [] : hits.slice(first, first + count);
  let end = 0;
  const blocks = chosen.map((hit, at) => {
    const begin = Math.max(end, nearTo(hit, { lines, step: -1 }));
    const isGap = at > 0 && begin > end;
    const after = hits[first + at + 1] ?? lines.length;
    end = Math.min(after, nearTo(hit, { lines, step: 1 }) + 1);
    const near = lines.slice(begin, end).map((line, offset) => {
      const number = begin + offset;
      return number === hit
        ? `> ${number}: ${showLine(line)}`
        : `  ${number}: ${shorten(showLine(line), MAX_NEAR)}`;
    });
    return [...(isGap ? ["--"] : []), ...near].join("\n");
  });
  const shown = takeWhileRoom(blocks);
  const next = first < 0 ? undefined : hits[first + shown.length];
  const more = next === undefined ? "" : `; continue with start ${next}`;
  const on = shown.length > 0 ? "; to read on from one, give its number as start and no find" : "";
  const head = `[${hits.length} of ${lines.length} ${what} contain it, ${shown.length} shown from ${start}${more}${on}]`;
  return [head, ...shown].join("\n");
}

/** The last line that is shown with this one, in one direction. Values are shown alone. */
function nearTo(
  at: number,
  { lines, step }: { readonly lines: readonly Line[]; readonly step: 1 | -1 },
): number {
  let end = at;
  const isText = (number: number) => lines[number] && lines[number].path === undefined;
  while (Math.abs(end - at) < NEAR && isText(at) && isText(end + step)) end += step;
  return end;
}

/** As many as there is room for. Each is shorter than that, so that reading goes on with every call. */
function takeWhileRoom(texts: readonly string[]): readonly string[] {
  let room = MAX_LENGTH - MAX_PATH - 200;
  const end = texts.findIndex((text) => {
    room -= text.length + 1;
    return room < 0;
  });
  return end < 0 ? texts : texts.slice(0, end);
}

function showLine({ path, text }: Line): string {
  return path === undefined ? text : `${shorten(path, MAX_PATH)} ${text}`.trimStart();
}

/** The lines of a text. Of JSON with long lines, the values in it; other long lines are split. */
function splitText(text: string): readonly Line[] {
  const split = (line: string) => (line.length > MAX_LINE ? splitLong(line) : { text: line });
  const lines = text.split("\n");
  const isLong = lines.length > 1 && lines.some((line) => line.length > MAX_LINE);
  const value = isLong ? parseStructure(text) : undefined;
  return value === undefined ? lines.flatMap(split) : splitValue(value);
}

function splitLong(line: string): readonly Line[] {
  const value = parseStructure(line);
  return value === undefined ? piecesOf(line).map((text) => ({ text })) : splitValue(value);
}

function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,2000}/gsu) ?? [""];
}

/** A value as JSON in one line, or in place of a long one the values inside it. */
function splitValue(value: unknown, { path = "", key = "" } = {}): readonly Line[] {
  const isShort = !measure(value, { maxBytes: MAX_LINE, maxDepth: MAX_LINE });
  const json = isShort ? (JSON.stringify(value) ?? "null") : "";
  if (isShort && json.length <= MAX_LINE) return [{ text: json, path, key }];
  if (typeof value === "string") {
    return value.split("\n").flatMap((line) => {
      return piecesOf(line).map((text) => ({ text: `text: ${text}`, path, key }));
    });
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => splitValue(item, { path: `${path}[${at}]` }));
  }
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return members.flatMap(([name, inner]) => {
    return splitValue(inner, { path: path + pathKey(name), key: name });
  });
}
