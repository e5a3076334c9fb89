import type { Policy } from "../call/tool-call.ts";
import { argumentLeaves, isWithin } from "./argument-leaves.ts";
import {
  createSourcePolicy,
  type SourcePolicyOptions,
  sourceId,
  toIdTest,
  UNTRACKED,
} from "./source-policy.ts";

/** When `askUnlessFrom` asks, and about which arguments. */
export interface AskUnlessFromOptions extends SourcePolicyOptions {
  /** Results that may contain other people's instructions. Default: those of every tool that is not trusted. */
  readonly after?: readonly string[];
}

/**
 * Once something untrusted has been read, a call to one of these tools waits for a person, unless each target is
 * something the user said (`"user"`, see `userText`) or is in full in a trusted tool's result. Trust only data that the
 * user owns, such as contacts, and that others cannot write to. Calls by the application itself pass. Needs
 * `createHost({ sources: trackSources() })` and calls with a `scope`; without them, it asks each time.
 */
export function askUnlessFrom(
  trusted: readonly string[],
  { after, ...options }: AskUnlessFromOptions,
): Policy {
  const isTrusted = toIdTest(trusted);
  const taints = after ? toIdTest(after) : (id: string) => !isTrusted(id);
  return createSourcePolicy(options, ({ call, targets, sources, words }) => {
    const { read, fromUser = [] } = call;
    if (!read) return { ask: UNTRACKED };
    const tainting = [...read, ...sources.map(sourceId)].filter(taints);
    if (tainting.length === 0) return "allow";
    const sourcesOf = (path: string) => sources.filter((source) => isWithin(path, source.path));
    const isFine = ({ path }: { readonly path: string }) =>
      (trusted.includes("user") && fromUser.includes(path)) ||
      sourcesOf(path).some((source) => !source.part && isTrusted(sourceId(source)));
    const leaves = argumentLeaves(call.arguments);
    const named = leaves.filter(({ path }) => targets.some((part) => isWithin(path, part)));
    const asked = named.length > 0 ? named : leaves;
    if (asked.length === 0) return { ask: `the model has read ${words.results(tainting)}` };
    const open = asked.filter((leaf) => !isFine(leaf));
    if (open.length === 0) return "allow";
    const reasons = open.slice(0, 5).map(({ path }) => {
      const ids = sourcesOf(path).map(sourceId);
      return ids.length > 0 ? words.came(path, ids) : `${words.argument(path)} ${UNKNOWN}`;
    });
    return { ask: reasons.join("; ") };
  });
}

const UNKNOWN = "was not said by the user, and is in no trusted result";
