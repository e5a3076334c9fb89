import type { Authorization, Policy } from "../call/tool-call.ts";
import { isWithin } from "./argument-leaves.ts";
import {
  createSourcePolicy,
  type SourcePolicyOptions,
  sourceId,
  toIdTest,
  UNTRACKED,
} from "./source-policy.ts";

/**
 * Controls where data may go: a call waits for a person if one of these arguments came, in whole or in part, from
 * a result of those tools. Not a defence on its own, since encoded copies are not found: see `askUnlessFrom`. Calls by the
 * application itself pass.
 */
export function askWhenFrom(from: readonly string[], options: SourcePolicyOptions): Policy {
  return whenFrom(from, { ...options, say: (ask) => ({ ask }) });
}

/** As `askWhenFrom`, but nobody is asked: the call is refused. */
export function denyWhenFrom(from: readonly string[], options: SourcePolicyOptions): Policy {
  const say = (why: string) => ({ deny: `${why}, and may not be sent there` });
  return whenFrom(from, { ...options, say });
}

function whenFrom(
  from: readonly string[],
  { say, ...options }: SourcePolicyOptions & { say(reason: string): Authorization },
): Policy {
  const isFrom = toIdTest(from);
  return createSourcePolicy(options, ({ call, targets, sources, words }) => {
    const reasons = sources
      .filter(({ path }) => targets.some((part) => isWithin(path, part) || isWithin(part, path)))
      .filter((source) => isFrom(sourceId(source)))
      .map((source) => words.came(source.path, [sourceId(source)]));
    if (reasons.length === 0) return call.read ? "allow" : { ask: UNTRACKED };
    return say(reasons.slice(0, 5).join("; "));
  });
}
