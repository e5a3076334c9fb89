import { canonicalJson, sha256 } from "../json/json.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";

/** The parts of a tool that a model, a person or a check relies on. */
export function definitionParts(tool: Tool) {
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = tool;
  const parts = { name, title, description, inputSchema, outputSchema, annotations, execution };
  return { ...parts, "_meta.ui": tool.meta?.ui };
}

const hashes = new WeakMap<Tool, string>();

/** Computes the SHA-256 of a tool's definition, in hex, once for each tool of a list. */
export function definitionHash(tool: Tool): string {
  const hash = hashes.get(tool) ?? sha256(canonicalJson(definitionParts(tool)));
  hashes.set(tool, hash);
  return hash;
}

/** Computes the SHA-256 of a call, in hex: of its server, tool, definition and arguments, and of what a person has changed. */
export function callHash(call: Pick<ToolCall, "tool" | "arguments" | "changedFrom">): string {
  const { tool, arguments: args, changedFrom } = call;
  const parts = [tool.server, tool.name, definitionHash(tool), args];
  return sha256(canonicalJson(changedFrom ? [...parts, changedFrom] : parts));
}
