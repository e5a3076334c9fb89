import { canonicalJson, isJsonObject, type JsonObject } from "../json/json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";

/** The call that a result asks for. */
export interface NextTool {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A key of a result's `_meta`, or a function that reads the next call of a server with another format. */
export type NextToolKey = string | ((result: CallToolResult) => NextTool | undefined);

/** The keys of a result's `_meta` that name the next tool by default. */
export const NEXT_TOOL_KEYS: readonly NextToolKey[] = ["nextTool", "openai/nextTool"];

/** Reads the next call of a result, where `name` may replace `tool`. All keys must agree. Returns a text if one is malformed. */
export function readNextTool(
  result: CallToolResult,
  keys: readonly NextToolKey[],
): NextTool | string | undefined {
  let found: { place: string; next: NextTool } | undefined;
  const meta: JsonObject = result._meta ?? {};
  for (const key of keys) {
    const isName = typeof key === "string";
    let value: unknown;
    try {
      value = isName ? Object.getOwnPropertyDescriptor(meta, key)?.value : key(result);
    } catch {
      return `${describeKey(key, keys)} threw an error`;
    }
    if (value === undefined || value === null) continue;
    const place = describeKey(key, keys);
    const next = toNextTool(value);
    if (typeof next === "string") return `${place} ${next}`;
    if (found && canonicalJson(found.next) !== canonicalJson(next)) {
      return `${found.place} and ${place} name different calls`;
    }
    found ??= { place, next };
  }
  return found?.next;
}

function describeKey(key: NextToolKey, keys: readonly NextToolKey[]): string {
  return typeof key === "string" ? `_meta["${key}"]` : `nextTool[${keys.indexOf(key)}]`;
}

/** Reads a call in the form of `nextTool`. Returns a text if it is malformed. */
export function toNextTool(value: unknown): NextTool | string {
  if (!isJsonObject(value)) return "must be an object { tool, arguments? }";
  const { tool, name, arguments: args = {}, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `has the unknown key "${unknown}"`;
  if (tool !== undefined && name !== undefined && tool !== name) {
    return "has both tool and name, and they differ";
  }
  const target = tool ?? name;
  if (typeof target !== "string" || target === "") return "must name a tool";
  if (!isJsonObject(args)) return "must have an object as its arguments";
  return { tool: target, arguments: args };
}
