import { type Authorization, type Policy, type ToolCall, ToolrailError } from "@toolrail/core";
import type { ArgumentSource, NamedTools } from "@toolrail/core/plugin";
import { toolId, toPattern } from "@toolrail/core/plugin";
import { isJsonObject, joinKey, parsePath, plainText } from "@toolrail/json";

/** The descriptions of results and arguments for a person: `{ "mail.*": "a mail", toAccountId: "the account number" }`. */
export type SourceNames = { readonly [toolsOrArgument: string]: string };

/** The tools and arguments that a policy on sources checks. */
export interface SourcePolicyOptions {
  /**
   * The tools by patterns, each with the arguments to check, such as a recipient: `{ "bank.send_money": ["recipient"], "mail.*":
   * "*" }`. `"*"` means all arguments. Quote names with other characters than letters, digits, `_`, `$` and `-`:
   * `'["filter[name]"]'`.
   */
  readonly to: { readonly [tools: string]: readonly string[] | "*" };
  /** The descriptions of results and arguments for a person. Default: the ids of tools, the names of arguments. */
  readonly names?: SourceNames;
}

/** The decision of a policy on sources, and its name in errors. */
export interface PolicyParts {
  /** The name of the function that creates the policy. */
  readonly option: string;
  /** Further names of tools in its options. */
  readonly others?: readonly NamedTools[];
  judge(judged: Judged): Authorization;
}

interface Judged {
  readonly call: ToolCall;
  /** The paths of the checked arguments. Empty means all of them. */
  readonly targets: readonly string[];
  readonly sources: readonly ArgumentSource[];
  readonly words: ReturnType<typeof createWords>;
}

/** Creates a policy for the tools in `to`, for all callers except the application itself. */
export function createSourcePolicy(
  options: SourcePolicyOptions,
  { option, judge, others = [] }: PolicyParts,
): Policy {
  const { to, names = {} } = options;
  if (!isJsonObject(to) || Object.keys(to).length === 0)
    throw invalid('a policy needs `to`, as { "bank.send_money": ["recipient"] }');
  const rules = Object.entries(to).map(([pattern, paths]) => {
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === "string");
    if (paths !== "*" && !(isList && paths.length > 0))
      throw invalid(`to["${pattern}"] must be a list of at least one argument, or "*"`);
    return { test: toPattern(pattern, "to"), parts: paths === "*" ? [""] : paths.map(toPart) };
  });
  const words = createWords(names);
  const policy: Policy = (call) => {
    const found = rules.filter(({ test }) => test(call.tool));
    if (found.length === 0 || call.origin.by === "application") return "allow";
    const targets = found.flatMap(({ parts }) => parts);
    return judge({ call, targets, sources: call.sources ?? [], words });
  };
  const targets = (id: string) => rules.flatMap(({ test, parts }) => (test(id) ? parts : []));
  const named = Object.entries(to).map(([pattern, paths]): NamedTools => {
    const protecting = { option: `${option}.to`, pattern, protects: true };
    return paths === "*" ? protecting : { ...protecting, arguments: paths };
  });
  return Object.assign(policy, { names: [...named, ...others], targets });
}

/** Converts a path to the form in a call's sources: `to[0]` becomes `to.0`. */
function toPart(path: string): string {
  const keys = parsePath(path);
  if (!keys.includes("")) return keys.reduce(joinKey, "");
  throw invalid(`"${path}" is not the path of an argument, as rows[0].to or ["filter[name]"] is`);
}

/** Creates a function that describes the sources of arguments: "the account number came from a mail (mail.read)". */
function createWords(names: SourceNames) {
  const rules = Object.entries(names).map(([pattern, name]) => {
    return { test: toPattern(pattern, "names"), name };
  });
  const findName = (id: string) => rules.find(({ test }) => test(id))?.name;
  /** Describes an argument. If it has no name, `toAccount_number` becomes "the to account number". */
  const argument = (path: string): string => {
    const [shown = ""] = plainText(path).slice(0, 80).split(" (name)");
    const words = shown.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/_/g, " ");
    return findName(shown) ?? (path === "" ? "the arguments" : `the ${words.toLowerCase()}`);
  };
  const results = (ids: readonly string[]): string => {
    const known = [...new Set(ids)].slice(0, 3);
    return known.map((id) => (findName(id) ? `${findName(id)} (${id})` : id)).join(" and ");
  };
  const came = (path: string, ids: readonly string[]) =>
    `${argument(path)} came from ${results(ids)}`;
  return { argument, results, came };
}

/** Creates a test for ids of tools or notes that match one of the patterns. */
export function toIdTest(patterns: readonly string[]): (id: string) => boolean {
  if (!Array.isArray(patterns) || patterns.length === 0) {
    throw invalid("sources must be a list of patterns that is not empty");
  }
  const tests = patterns.map((pattern) => toPattern(pattern, "The sources of a policy"));
  return (id) => tests.some((test) => test(id));
}

export function sourceId({ server, tool }: Pick<ArgumentSource, "server" | "tool">): string {
  return server === "" ? tool : toolId({ server, name: tool });
}

export const UNTRACKED =
  "what was read before is unknown, since the call has no conversation or the host tracks no sources";

function invalid(why: string): ToolrailError {
  return new ToolrailError("invalid-options", `The policy cannot be used: ${why}.`);
}
