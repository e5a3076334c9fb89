import { invalidOptions } from "../errors.ts";
import { type Tool, type ToolRef, toolText } from "../types/tool.ts";

/** Names of tools (`"docs.search"`, or `"search"` of any server), patterns (`"bank.*"`, `"*"`), or a function of the tool. */
export type ToolFilter = readonly string[] | ((tool: Tool) => boolean);

/**
 * Turns a pattern into a test of tools or their ids. `*` matches any characters, and a name without a dot matches the tool of that
 * name of any server. Throws `invalid-options` for anything except a non-empty string.
 */
export function toPattern(pattern: unknown, option: string): (tool: ToolRef | string) => boolean {
  if (typeof pattern !== "string" || pattern === "") {
    throw invalidOptions(
      `${option} contains ${JSON.stringify(pattern)}; write patterns such as "bank.*" or "docs.search".`,
    );
  }
  if (!/[.*]/.test(pattern)) {
    const end = `.${pattern}`;
    return (tool) =>
      typeof tool === "string" ? tool === pattern || tool.endsWith(end) : tool.name === pattern;
  }
  const parts = pattern.split("*");
  return (tool) => matches(toolText(tool), parts);
}

/** Turns the `allow` option into a test. Only `true` counts as an answer of a function: a promise does not. */
export function toToolTest(filter: ToolFilter, option: string): (tool: Tool) => boolean {
  if (typeof filter === "function") return (tool) => filter(tool) === true;
  if (!Array.isArray(filter)) {
    throw invalidOptions(`${option} must be a list of patterns or a function.`);
  }
  const tests = filter.map((pattern) => toPattern(pattern, option));
  return (tool) => tests.some((test) => test(tool));
}

function matches(text: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
