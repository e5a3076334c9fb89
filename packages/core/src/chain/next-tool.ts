import { canonicalJson, isJsonObject, type JsonObject } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";

/** The call that a result asks for. */
export interface NextTool {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Reads `_meta.nextTool`, where `name` may stand for `tool`; all keys must agree. A text says what is malformed. */
export function readNextTool(
  result: CallToolResult,
  keys: readonly string[],
): NextTool | string | undefined {
  const meta: JsonObject = result._meta ?? {};
  let found: { key: string; next: NextTool } | undefined;
  for (const key of keys) {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    if (value === undefined || value === null) continue;
    const next = toNextTool(value);
    if (typeof next === "string") return `_meta["${key}"] ${next}`;
    if (found && canonicalJson(found.next) !== canonicalJson(next)) {
      return `_meta["${found.key}"] and _meta["${key}"] name different calls`;
    }
    found ??= { key, next };
  }
  return found?.next;
}

function toNextTool(value: unknown): NextTool | string {
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
