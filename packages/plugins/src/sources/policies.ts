import type { Authorization, Policy } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import type { ArgumentSource, NamedTools } from "@toolrail/core/plugin";
import { isWithin } from "@toolrail/json";
import { argumentLeaves, leavesWithin } from "./argument-leaves.ts";
import {
  createSourcePolicy,
  type PolicyParts,
  type SourcePolicyOptions,
  sourceId,
  toIdTest,
  UNTRACKED,
} from "./source-policy.ts";

const OPTIONS = { to: "object", names: "object" } as const;
const checkOptions = /* @__PURE__ */ createOptionCheck<SourcePolicyOptions>("askWhenFrom", OPTIONS);
const checkUnless = /* @__PURE__ */ createOptionCheck<AskUnlessFromOptions>("askUnlessFrom", {
  ...OPTIONS,
  after: "texts",
});

/** Options of `askUnlessFrom`. */
export interface AskUnlessFromOptions extends SourcePolicyOptions {
  /** The tools whose results may contain other people's instructions. Default: every tool that is not trusted. */
  readonly after?: readonly string[];
}

/**
 * Creates a policy against instructions in untrusted results. After such a result was read, a call to one of these tools waits
 * for a person. It does not wait if the user wrote each target (`"user"`, see `userText`), or if a trusted tool's result contains
 * it in full. Trust only data of the user that others cannot write to, such as contacts. Calls by the application itself pass.
 * Needs `createHost({ use: [sources()] })` and calls with a `conversation`. Without them, it asks each time.
 */
export function askUnlessFrom(trusted: readonly string[], settings: AskUnlessFromOptions): Policy {
  checkUnless(settings);
  const { after, ...options } = settings;
  // `"user"` means the user's own text, and no tool of that name.
  const tools = Array.isArray(trusted) ? trusted.filter((name) => name !== "user") : trusted;
  const isTrusted = Array.isArray(tools) && tools.length === 0 ? () => false : toIdTest(tools);
  const taints = after ? toIdTest(after) : (id: string) => !isTrusted(id);
  const others = [
    ...toNamed("askUnlessFrom", { patterns: tools, protects: false }),
    ...toNamed("askUnlessFrom.after", { patterns: after ?? [], protects: true }),
  ];
  const judge: PolicyParts["judge"] = ({ call, targets, sources, words }) => {
    const { read, fromUser = [], endorsed = [] } = call;
    if (!read) return { ask: UNTRACKED };
    const tainting = [...read, ...sources.map(sourceId)].filter(taints);
    if (tainting.length === 0) return "allow";
    const targetLeaves = leavesWithin(argumentLeaves(call.arguments), targets);
    if (targetLeaves.length === 0) return { ask: `the model has read ${words.results(tainting)}` };
    const vouched = new Set([...endorsed, ...(trusted.includes("user") ? fromUser : [])]);
    const findSources = bySource(sources);
    const reasons: string[] = [];
    for (const { path } of targetLeaves) {
      if (reasons.length === MAX_REASONS) break;
      if (vouched.has(path)) continue;
      const from = findSources(path);
      if (from.some((source) => !source.part && isTrusted(sourceId(source)))) continue;
      const unknown = `${words.argument(path)} ${UNKNOWN}`;
      reasons.push(from.length > 0 ? words.came(path, from.map(sourceId)) : unknown);
    }
    return reasons.length > 0 ? { ask: reasons.join("; ") } : "allow";
  };
  return createSourcePolicy(options, { option: "askUnlessFrom", others, judge });
}

const MAX_REASONS = 5;

/** Describes the sources that an option names, for the host to find those that are neither a tool nor a note. */
function toNamed(
  option: string,
  { patterns, protects }: { readonly patterns: readonly string[]; readonly protects: boolean },
): readonly NamedTools[] {
  return patterns.map((pattern) => ({ option, pattern, protects, orNote: true }));
}

/** Groups the sources of an argument. Copies are grouped by path, since there may be one for each argument. */
function bySource(sources: readonly ArgumentSource[]) {
  const exact = sources.filter(({ how }) => how !== "copy");
  const copies = new Map<string, ArgumentSource[]>();
  for (const source of sources) {
    if (source.how !== "copy") continue;
    const known = copies.get(source.path);
    if (known) known.push(source);
    else copies.set(source.path, [source]);
  }
  return (path: string): readonly ArgumentSource[] => [
    ...exact.filter((source) => isWithin(path, source.path)),
    ...(copies.get(path) ?? []),
  ];
}

const UNKNOWN = "was not said by the user, and is in no trusted result";

/**
 * Creates a policy that controls where data may go: a call waits for a person if one of these arguments came, in whole or in
 * part, from a result of those tools. It is no defence without others, since it does not find encoded copies: see
 * `askUnlessFrom`. Calls by the application itself pass.
 */
export function askWhenFrom(from: readonly string[], options: SourcePolicyOptions): Policy {
  checkOptions(options);
  return whenFrom(from, { ...options, option: "askWhenFrom", decide: (ask) => ({ ask }) });
}

/** Creates a policy like `askWhenFrom` that refuses the call without asking a person. */
export function denyWhenFrom(from: readonly string[], options: SourcePolicyOptions): Policy {
  checkOptions(options, "denyWhenFrom");
  const decide = (why: string) => ({ deny: `${why}, and may not be sent there` });
  return whenFrom(from, { ...options, option: "denyWhenFrom", decide });
}

function whenFrom(
  from: readonly string[],
  {
    decide,
    option,
    ...options
  }: SourcePolicyOptions & { readonly option: string; decide(reason: string): Authorization },
): Policy {
  const isFrom = toIdTest(from);
  const others = toNamed(option, { patterns: from, protects: true });
  const judge: PolicyParts["judge"] = ({ call, targets, sources, words }) => {
    const reasons: string[] = [];
    for (const source of sources) {
      const { path } = source;
      const isTarget = targets.some((part) => isWithin(path, part) || isWithin(part, path));
      if (isTarget && isFrom(sourceId(source))) reasons.push(words.came(path, [sourceId(source)]));
      if (reasons.length === MAX_REASONS) break;
    }
    if (reasons.length > 0) return decide(reasons.join("; "));
    if (!call.read) return { ask: UNTRACKED };
    const unexamined = (call.unexamined ?? []).filter(isFrom);
    if (unexamined.length === 0) return "allow";
    return { ask: `not everything that came from ${words.results(unexamined)} could be searched` };
  };
  return createSourcePolicy(options, { option, others, judge });
}
