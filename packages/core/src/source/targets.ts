import type { ArgumentSource } from "../call/argument-source.ts";
import { toolId } from "../call/tool.ts";
import type { ToolCall } from "../call/tool-call.ts";
import { toIdPattern } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { plainText } from "../plain-text.ts";
import { isWithin } from "./argument-leaves.ts";

/** The arguments that matter, by patterns of tools: `{ "bank.send_money": ["recipient"], "mail.*": "*" }`; `"*"` is all. */
export type Targets = { readonly [tools: string]: readonly string[] | "*" };

/** What a person is told of results and arguments: `{ "mail.*": "a mail", toAccountId: "the account number" }`. */
export type SourceNames = { readonly [toolsOrArgument: string]: string };

type Test = (id: string) => boolean;

/** True for the ids of tools, or of notes, that one of the patterns fits. */
export function toIdTest(patterns: readonly string[], option: string): Test {
  if (!Array.isArray(patterns)) {
    throw new ToolrailError("invalid-options", `${option} must be a list of patterns.`);
  }
  const tests = patterns.map((pattern) => toIdPattern(pattern, option));
  return (id) => tests.some((test) => test(id));
}

/** The targets of a call; `undefined` for a tool that has none. An empty path is all arguments. */
export function createTargets(to: Targets): (call: ToolCall) => readonly string[] | undefined {
  if (!isJsonObject(to)) throw new ToolrailError("invalid-options", NO_TARGETS);
  const rules = Object.entries(to).map(([pattern, names]) => {
    const isList = Array.isArray(names) && names.every((name) => typeof name === "string");
    if (!isList && names !== "*") {
      const message = `to["${pattern}"] must be a list of arguments, or "*" for all of them.`;
      throw new ToolrailError("invalid-options", message);
    }
    return { test: toIdPattern(pattern, "to"), names: names === "*" ? [""] : names };
  });
  return ({ tool }) => {
    const found = rules.filter(({ test }) => test(tool.id));
    return found.length > 0 ? found.flatMap(({ names }) => names) : undefined;
  };
}

const NO_TARGETS = 'A policy needs `to`, as { "bank.send_money": ["recipient"] }.';

export function isTarget(path: string, targets: readonly string[]): boolean {
  return targets.some((part) => isWithin(path, part));
}

/** The id of the tool, or of the note, that a source names. */
export function sourceId({ server, tool }: Pick<ArgumentSource, "server" | "tool">): string {
  return server === "" ? tool : toolId({ server, name: tool });
}

/** Says in plain words where arguments came from: "the account number came from a mail (mail.read)". */
export function createWords(names: SourceNames = {}) {
  const rules = Object.entries(names).map(([pattern, name]) => {
    return { test: toIdPattern(pattern, "names"), name };
  });
  const nameOf = (id: string) => rules.find(({ test }) => test(id))?.name;
  /** Without a name, `toAccount_number` is "the to account number". */
  const argument = (path: string): string => {
    const [shown = ""] = plainText(path).slice(0, 80).split(" (name)");
    const words = shown.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/_/g, " ");
    return nameOf(shown) ?? (path === "" ? "the arguments" : `the ${words.toLowerCase()}`);
  };
  const results = (ids: readonly string[]): string => {
    const shown = [...new Set(ids)].slice(0, 3).map((id) => {
      const name = nameOf(id);
      return name === undefined ? id : `${name} (${id})`;
    });
    return shown.join(" and ");
  };
  return { argument, results };
}
