import { isJsonObject } from "../json.ts";
import { shorten } from "../plain-text.ts";
import { outline } from "./outline.ts";

/** Which part of a kept value to read. */
export interface LineRange {
  /** Only lines, or items, that contain it. */
  readonly find?: string | undefined;
  /** Counted from 0. */
  readonly start: number;
  readonly count: number;
}

const MAX_LINE = 2_000;
const MAX_LENGTH = 8_000;

/** A part of a value for a model, at most 8,000 characters: lines of a text, items of a list, the shape of an object. */
export function readLines(value: unknown, { find, start, count }: LineRange): string {
  if (isJsonObject(value) && find === undefined) return outline(value);
  const kind = typeof value === "string" ? "lines" : "items";
  const all = linesOf(value);
  const wanted = find?.toLowerCase();
  const found =
    wanted === undefined ? all : all.filter((line) => line.toLowerCase().includes(wanted));
  const shown: string[] = [];
  let room = MAX_LENGTH - 200;
  for (const line of found.slice(start, start + count)) {
    room -= Math.min(line.length, MAX_LINE) + 1;
    if (room < 0) break;
    shown.push(shorten(line, MAX_LINE));
  }
  const next = start + shown.length;
  const of =
    find === undefined
      ? `${all.length} ${kind}`
      : `${found.length} of ${all.length} ${kind} contain it`;
  const more = next < found.length ? `; continue with start ${next}` : "";
  const head = `[${of}, ${shown.length} shown from ${start}${more}]`;
  return [head, ...shown].join("\n");
}

/** The lines of a text, with long ones split; the items of a list or members of an object as JSON, one per line. */
function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(item));
  if (isJsonObject(value)) {
    return Object.entries(value).map(([key, inner]) => JSON.stringify({ [key]: inner }));
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.split("\n").flatMap((line) => line.match(/.{1,2000}/gs) ?? "");
}
