import { ambiguityIn } from "../ambiguous-json.ts";
import type { ToolRef } from "../host/tool.ts";
import { toPattern } from "../host/tool-patterns.ts";
import { isJsonObject, type JsonObject } from "../json.ts";

/** What the operator says of a tool: `"ask"` leaves each call to a person. */
export type AllowlistEntry = "allow" | "ask";

/**
 * The tools that a guarded query may call: a list of names, or names with what they need. A name is
 * `server.tool`, or the bare name where only one server has it; `*` stands for any characters of the
 * former.
 */
export type Allowlist = readonly string[] | { readonly [tool: string]: AllowlistEntry };

/** An allowlist that was read. */
export interface AllowlistVerdict {
  /**
   * The operator's word on a tool, or `undefined`: it is denied. `tools` are all that there are, so that
   * a bare name is one tool or none.
   */
  entryOf(tool: ToolRef, tools: readonly ToolRef[]): AllowlistEntry | undefined;
  /** Why the list allows nothing, if it does not. */
  readonly problem?: string;
}

interface Rule {
  readonly name: string;
  readonly exact: boolean;
  readonly entry: AllowlistEntry;
  matches(tool: ToolRef): boolean;
}

/**
 * Reads an operator's list; JSON text is accepted as well. Anything but a whole and correct list
 * denies every tool and says so in `problem`. An exact name beats a pattern, `"ask"` beats `"allow"`.
 */
export function parseAllowlist(input: unknown): AllowlistVerdict {
  const rules = readRules(input);
  if (typeof rules === "string") {
    return { entryOf: () => undefined, problem: `Every tool is denied: ${rules}` };
  }
  return {
    entryOf(tool, tools) {
      const found = rules.filter((rule) =>
        rule.exact ? isMeant(rule, tool, tools) : rule.matches(tool),
      );
      const exact = found.filter((rule) => rule.exact);
      const entries = (exact.length > 0 ? exact : found).map((rule) => rule.entry);
      return entries.includes("ask") ? "ask" : entries[0];
    },
  };
}

/** By its full name, or by its bare name where that is no full one; and no other tool goes by it. */
function isMeant({ name }: Rule, tool: ToolRef, tools: readonly ToolRef[]): boolean {
  const isFull = (one: ToolRef) => `${one.server}.${one.name}` === name;
  const has = tools.some(isFull) ? isFull : (one: ToolRef) => one.name === name;
  return has(tool) && tools.filter(has).length === 1;
}

function readRules(input: unknown): Rule[] | string {
  if (input === undefined || input === null) {
    return "there is no allowlist. List the tools that may be called.";
  }
  let list: unknown = input;
  if (typeof input === "string") {
    try {
      list = JSON.parse(input);
    } catch (cause) {
      return `the allowlist is not valid JSON (${cause}).`;
    }
    const doubt = ambiguityIn(input);
    if (doubt !== undefined) return `of the allowlist, ${doubt}.`;
  }
  if (Array.isArray(list)) return toRules(Array.from(list, (name: unknown) => [name, "allow"]));
  if (isJsonObject(list)) return toRules(Object.entries(list as JsonObject));
  return `the allowlist must be a list of names, or an object of names with "allow" or "ask".`;
}

function toRules(entries: readonly (readonly [unknown, unknown])[]): Rule[] | string {
  if (entries.length === 0) return "the allowlist is empty.";
  const rules: Rule[] = [];
  for (const [name, entry] of entries) {
    if (typeof name !== "string" || name.trim() === "") {
      return `the allowlist holds ${show(name)}, which is no name of a tool.`;
    }
    if (entry !== "allow" && entry !== "ask") {
      return `the allowlist says ${show(entry)} of "${name}"; write "allow" or "ask".`;
    }
    rules.push({ name, exact: !name.includes("*"), entry, matches: toPattern(name, "allow") });
  }
  return rules;
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
}
