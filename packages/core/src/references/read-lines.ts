import { isJsonObject, measure } from "../json/json.ts";
import { pathKey } from "../json/path.ts";
import { shorten } from "../json/plain-text.ts";
import { parseStructure } from "./kept-results.ts";

export interface LineRange {
  /** Selects only lines, or values, that contain this text. */
  readonly find?: string | undefined;
  /** The first line to read or search, counted from 0. */
  readonly start: number;
  /** The maximum number of lines, or of lines that contain `find`. */
  readonly count: number;
  readonly from: string;
}

interface Line {
  readonly text: string;
  /** The path of a value, relative to the value that is read. */
  readonly path?: string;
  readonly key?: string;
}

const MAX_LINE = 2_000;
const MAX_PATH = 300;
const MAX_LENGTH = 8_000;
/** The number of lines shown before and after each line that contains `find`. */
const NEAR = 2;
const MAX_NEAR = 200;

/**
 * Reads a part of a value for a model, at most 8,000 characters: lines of a text, or whole values inside a list or an object. The
 * first line describes the value and how to read more.
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

/** Shows the lines that contain a text, with their numbers. In a text, it also shows the lines around them. */
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
  const readOn =
    shown.length > 0 ? "; to read on from one, give its number as start and no find" : "";
  const head = `[${hits.length} of ${lines.length} ${what} contain it, ${shown.length} shown from ${start}${more}${readOn}]`;
  return [head, ...shown].join("\n");
}

/** Finds the last line to show with this one, in one direction. Values are shown without others. */
function nearTo(
  at: number,
  { lines, step }: { readonly lines: readonly Line[]; readonly step: 1 | -1 },
): number {
  let end = at;
  const isText = (number: number) => lines[number] && lines[number].path === undefined;
  while (Math.abs(end - at) < NEAR && isText(at) && isText(end + step)) end += step;
  return end;
}

/** Takes as many texts as fit. Each one fits alone, so that every call reads at least one. */
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

/** Splits a text into lines. JSON with long lines is split into its values, and other long lines are cut. */
function splitText(text: string): readonly Line[] {
  const split = (line: string) => (line.length > MAX_LINE ? splitLong(line) : { text: line });
  const lines = text.split("\n");
  const isLong = lines.length > 1 && lines.some((line) => line.length > MAX_LINE);
  const value = isLong ? parseStructure(text) : undefined;
  return value === undefined ? lines.flatMap(split) : splitValue(value);
}

function splitLong(line: string): readonly Line[] {
  const value = parseStructure(line);
  return value === undefined ? splitPieces(line).map((text) => ({ text })) : splitValue(value);
}

function splitPieces(text: string): readonly string[] {
  return text.match(/.{1,2000}/gsu) ?? [""];
}

/** Writes a value as JSON in one line. A long value is split into the values inside it. */
function splitValue(value: unknown, { path = "", key = "" } = {}): readonly Line[] {
  const isShort = !measure(value, { maxBytes: MAX_LINE, maxDepth: MAX_LINE });
  const json = isShort ? (JSON.stringify(value) ?? "null") : "";
  if (isShort && json.length <= MAX_LINE) return [{ text: json, path, key }];
  if (typeof value === "string") {
    return value.split("\n").flatMap((line) => {
      return splitPieces(line).map((text) => ({ text: `text: ${text}`, path, key }));
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
