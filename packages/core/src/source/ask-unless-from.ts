import type { Policy, ToolCall } from "../call/tool-call.ts";
import { type ArgumentLeaf, argumentLeaves, isWithin } from "./argument-leaves.ts";
import {
  createTargets,
  createWords,
  isTarget,
  type SourceNames,
  sourceId,
  type Targets,
  toIdTest,
} from "./targets.ts";

export interface AskUnlessFromOptions {
  /** The tools that this is about, and which of their arguments say where something goes. */
  readonly to: Targets;
  /** Results that may hold instructions of others. Default: those of every tool that is not trusted. */
  readonly after?: readonly string[];
  /** What a person is told that results and arguments are. Default: the ids of tools, the names of arguments. */
  readonly names?: SourceNames;
}

/**
 * After something untrusted was read, a call to one of these tools waits for a person, unless each of its targets is
 * what the user said (`"user"`, see `userText`) or stands whole in the result of a trusted tool. Trust data that the user
 * owns, as contacts, and nothing that others can write into. Calls of the application itself pass. Needs
 * `createHost({ sources: trackSources() })` and calls with a `scope`; without them, it asks each time.
 */
export function askUnlessFrom(
  trusted: readonly string[],
  { to, after, names }: AskUnlessFromOptions,
): Policy {
  const isTrusted = toIdTest(trusted, "the trusted sources");
  const taints = after ? toIdTest(after, "after") : (id: string) => !isTrusted(id);
  const targetsOf = createTargets(to);
  const words = createWords(names);
  return (call) => {
    const targets = targetsOf(call);
    if (!targets || call.origin.by === "application") return "allow";
    const { sources = [], read } = call;
    if (!read) return { ask: UNTRACKED };
    const tainting = [...read, ...sources.map(sourceId)].filter(taints);
    if (tainting.length === 0) return "allow";
    const leaves = argumentLeaves(call.arguments);
    const named = leaves.filter(({ path }) => isTarget(path, targets));
    const asked = named.length > 0 ? named : leaves;
    const open = asked.filter((leaf) => !isFine(call, leaf));
    if (asked.length > 0 && open.length === 0) return "allow";
    const reasons = open.slice(0, 5).map(({ path }) => {
      const ids = sources.filter((source) => isWithin(path, source.path)).map(sourceId);
      return ids.length > 0
        ? `${words.argument(path)} came from ${words.results(ids)}`
        : `${words.argument(path)} ${UNKNOWN}`;
    });
    const before = `before, the model read ${words.results(tainting)}`;
    return { ask: [...reasons, ...(reasons.length > 0 ? [] : [before])].join("; ") };
  };

  function isFine({ sources = [], fromUser = [] }: ToolCall, { path }: ArgumentLeaf): boolean {
    if (trusted.includes("user") && fromUser.includes(path)) return true;
    return sources.some((source) => {
      return !source.part && isWithin(path, source.path) && isTrusted(sourceId(source));
    });
  }
}

const UNKNOWN = "was not said by the user, and stands in no trusted result";
export const UNTRACKED =
  "it is not known what was read before, since the call has no scope or the host tracks no sources";
