import type { PluginTool } from "../call/plugin.ts";
import { isJsonObject, measure } from "../json/json.ts";
import { pathKey } from "../json/path.ts";
import { shorten } from "../json/plain-text.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { type KeptResults, readAddress } from "./kept-results.ts";

export const PLUGIN = "references";
const NAME = "read_result";
export const READ_TOOL = `${PLUGIN}.${NAME}`;
/** The name of the tool for models. */
export const READ_TOOL_NAME = `${PLUGIN}_${NAME}`;

/** Creates the tool by which a model reads more of a kept result: at most 8,000 characters a call, which are never kept. */
export function createReadTool(kept: KeptResults): PluginTool {
  return {
    name: NAME,
    // It contains no example of an id, since models would use it.
    description:
      "Reads lines of a long text, or values of a list or object, that was kept. Do not read what you only pass on: write its address.",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: {
        from: { type: "string", description: "its name, or name.path" },
        find: { type: "string", description: "text they must contain" },
        start: { type: "integer", description: "number of the first line" },
        count: { type: "integer", description: "1-200" },
      },
      required: ["from"],
    },
    async call(args, { conversation }) {
      const { from, find = "", start = 0, count = 50 } = args as unknown as ReadArguments;
      const address = readAddress(from);
      if (!address || conversation === undefined)
        return answer(`"${shorten(from)}" is not the address of a kept result.`, true);
      const reading = await kept.read(address, { conversation });
      if (!reading.found) return answer(`${reading.message}.`, true);
      const { value } = reading;
      const isAll = address.keys.length === 0 && typeof value !== "string";
      const path = isAll ? `${address.id}.structured` : address.text;
      const most = Math.min(Math.max(count, 1), MAX_COUNT);
      return answer(readLines(value, { path, find, start, count: most }));
    },
  };
}

/** The arguments, which the host has checked against the schema. */
interface ReadArguments {
  readonly from: string;
  readonly find?: string;
  readonly start?: number;
  readonly count?: number;
}

function answer(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text }], ...(isError && { isError }) };
}

const MAX_COUNT = 200;
const MAX_LENGTH = 8_000;
/** The maximum length of the first line, and of each other line. */
const [MAX_HEAD, MAX_LINE] = [600, 5_000];
/** The length up to which a value is written in one line, and at which texts are cut into pieces. */
const MAX_VALUE = 2_000;

interface LineRange {
  readonly path: string;
  /** Selects only lines, or values, that contain this text. */
  readonly find: string;
  /** The first line to read or search, counted from 0. */
  readonly start: number;
  readonly count: number;
}

/**
 * Reads a part of a value, at most 8,000 characters: lines of a text, or whole values inside a list or an object. The first line
 * describes the value and how to read more.
 */
function readLines(value: unknown, { path, find, start, count }: LineRange): string {
  const isText = typeof value === "string";
  const lines = isText ? splitText(value) : splitValue(value);
  const wanted = find.toLowerCase();
  const hits = [...lines.keys()].filter((at) => lines[at]?.toLowerCase().includes(wanted));
  const later = hits.filter((at) => at >= start);
  const shown: string[] = [];
  let room = MAX_LENGTH - MAX_HEAD;
  for (const at of later.slice(0, count)) {
    const line = shorten(`${find && `${at}: `}${lines[at]}`, MAX_LINE);
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  const next = later[shown.length];
  const what = isText ? "lines" : `values in ${path}`;
  const all = find
    ? `${hits.length} of ${lines.length} ${what} contain it`
    : `${lines.length} ${what}`;
  const more = next === undefined ? "" : `; continue with start ${next}`;
  return [`[${all}, ${shown.length} shown from ${start}${more}]`, ...shown].join("\n");
}

function splitText(text: string): readonly string[] {
  const pieces = new RegExp(`.{1,${MAX_VALUE}}`, "gsu");
  return text.split("\n").flatMap((line) => line.match(pieces) ?? [""]);
}

/** Writes a value as JSON in one line, after its path. A long value is split into the values inside it. */
function splitValue(value: unknown, path = ""): readonly string[] {
  const isShort = !measure(value, { maxBytes: MAX_VALUE, maxDepth: MAX_VALUE });
  const json = isShort ? (JSON.stringify(value) ?? "null") : undefined;
  if (json !== undefined && json.length <= MAX_VALUE) return [`${path} ${json}`.trimStart()];
  if (typeof value === "string") return splitText(value).map((text) => `${path} text: ${text}`);
  if (Array.isArray(value)) return value.flatMap((item, at) => splitValue(item, `${path}[${at}]`));
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return members.flatMap(([key, inner]) => splitValue(inner, path + pathKey(key)));
}
