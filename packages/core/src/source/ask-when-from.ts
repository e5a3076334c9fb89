import type { Policy } from "../call/tool-call.ts";
import { isWithin } from "./argument-leaves.ts";
import { UNTRACKED } from "./ask-unless-from.ts";
import {
  createTargets,
  createWords,
  isTarget,
  type SourceNames,
  sourceId,
  type Targets,
  toIdTest,
} from "./targets.ts";

export interface WhenFromOptions {
  /** The tools that this is about, and which of their arguments. */
  readonly to: Targets;
  /** What a person is told that results and arguments are. Default: the ids of tools, the names of arguments. */
  readonly names?: SourceNames;
}

/**
 * Controls where data may go: a call waits for a person where one of these arguments came, in whole or in part, out of
 * a result of those tools. No defence on its own, since an encoded copy is not found: see `askUnlessFrom`. Calls of the
 * application itself pass.
 */
export function askWhenFrom(from: readonly string[], options: WhenFromOptions): Policy {
  return whenFrom(from, { ...options, say: (reason) => ({ ask: reason }) });
}

/** As `askWhenFrom`, and nobody is asked: the call is refused. */
export function denyWhenFrom(from: readonly string[], options: WhenFromOptions): Policy {
  return whenFrom(from, {
    ...options,
    say: (reason) => ({ deny: `${reason}, and may not go there` }),
  });
}

function whenFrom(
  from: readonly string[],
  { to, names, say }: WhenFromOptions & { say(reason: string): ReturnType<Policy> },
): Policy {
  const isFrom = toIdTest(from, "the sources");
  const targetsOf = createTargets(to);
  const words = createWords(names);
  return (call) => {
    const targets = targetsOf(call);
    if (!targets || call.origin.by === "application") return "allow";
    const { sources = [], read } = call;
    const found = sources.filter((source) => {
      const isInside = targets.some((part) => isWithin(part, source.path));
      return (isInside || isTarget(source.path, targets)) && isFrom(sourceId(source));
    });
    const paths = [...new Set(found.map(({ path }) => path))];
    const reasons = paths.slice(0, 5).map((path) => {
      const ids = found.filter((source) => source.path === path).map(sourceId);
      return `${words.argument(path)} came from ${words.results(ids)}`;
    });
    if (reasons.length > 0) return say(reasons.join("; "));
    return read ? "allow" : { ask: UNTRACKED };
  };
}
