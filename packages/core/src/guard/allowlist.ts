import { toPattern } from "../call/tool-patterns.ts";
import { isJsonObject } from "../json/json.ts";
import type { Tool } from "../types/tool.ts";

/** The operator's rule for a tool. `"ask"` leaves each call to a person. @inline */
export type AllowlistEntry = "allow" | "ask";

/**
 * The tools that a guarded query may call: a list of names, or an object of names with their entries. A name is `server.tool`, or
 * the bare name if only one server has it. `*` in a name matches any characters.
 */
export type Allowlist = readonly string[] | { readonly [tool: string]: AllowlistEntry };

type Rule = readonly [name: string, entry: AllowlistEntry];

/**
 * Reads an operator's list. An incomplete or invalid list denies every tool, and `problem` contains the reason. An exact name
 * goes before a pattern, and `"ask"` before `"allow"`.
 */
export function parseAllowlist(input: unknown) {
  const read = readRules(input);
  const isRead = typeof read !== "string";
  const rules = isRead ? read : [];
  const exact = rules.filter(([name]) => !name.includes("*"));
  const patterns = rules.filter(([name]) => name.includes("*"));
  const tests = patterns.map(([name, entry]) => ({ matches: toPattern(name, "allow"), entry }));
  return {
    problem: isRead ? undefined : `No tool is allowed: ${read}`,
    names: rules.map(([name]) => name),
    /** Finds the allowed tools among all tools of a host, and the names that match several of them. */
    findEntries(tools: readonly Tool[]) {
      const entries = new Map<Tool, AllowlistEntry>();
      const ambiguous = new Map<string, readonly Tool[]>();
      const add = (tool: Tool, entry: AllowlistEntry) => {
        if (entries.get(tool) !== "ask") entries.set(tool, entry);
      };
      // A name first matches a tool's id, then a bare name. If two tools have the bare name, neither is allowed by it or by a pattern.
      for (const [name, entry] of exact) {
        const byId = tools.filter(({ id }) => id === name);
        const meant = byId.length > 0 ? byId : tools.filter((tool) => tool.name === name);
        if (meant.length > 1) ambiguous.set(name, meant);
        else if (meant[0]) add(meant[0], entry);
      }
      const unclear = new Set([...ambiguous.values()].flat());
      const others = tools.filter((tool) => !entries.has(tool) && !unclear.has(tool));
      for (const { matches, entry } of tests) {
        for (const tool of others.filter(matches)) add(tool, entry);
      }
      return { entries, ambiguous: [...ambiguous.keys()] };
    },
  };
}

/** Reads the names of a list with their entries. Returns the reason if the list is invalid. */
function readRules(input: unknown): readonly Rule[] | string {
  if (input === undefined || input === null) {
    return "there is no allowlist. List the tools that may be called.";
  }
  if (!Array.isArray(input) && !isJsonObject(input)) {
    return `the allowlist must be a list of names, or an object of names with "allow" or "ask".`;
  }
  const rules: (readonly [unknown, unknown])[] = Array.isArray(input)
    ? Array.from(input, (name) => [name, "allow"])
    : Object.entries(input);
  for (const [name, entry] of rules) {
    if (typeof name !== "string" || name.trim() === "") {
      return `the allowlist contains ${show(name)}, which is not the name of a tool.`;
    }
    if (entry !== "allow" && entry !== "ask") {
      return `the allowlist has ${show(entry)} for "${name}"; write "allow" or "ask".`;
    }
  }
  return rules.length > 0 ? (rules as Rule[]) : "the allowlist is empty.";
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
}
