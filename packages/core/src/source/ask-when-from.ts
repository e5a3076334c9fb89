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
  return whenFrom({ ...options, from }, (ask) => ({ ask }));
}

/** As `askWhenFrom`, but nobody is asked: the call is refused. */
export function denyWhenFrom(from: readonly string[], options: SourcePolicyOptions): Policy {
  return whenFrom({ ...options, from }, (why) => ({ deny: `${why}, and may not be sent there` }));
}

function whenFrom(
  { from, ...options }: SourcePolicyOptions & { readonly from: readonly string[] },
  say: (reason: string) => Authorization,
): Policy {
  const isFrom = toIdTest(from);
  return createSourcePolicy(options, ({ call, targets, sources, words }) => {
    const found = sources.filter(({ path, ...source }) => {
      const isTarget = targets.some((part) => isWithin(path, part) || isWithin(part, path));
      return isTarget && isFrom(sourceId(source));
    });
    if (found.length === 0) return call.read ? "allow" : { ask: UNTRACKED };
    const reasons = found.slice(0, 5).map((source) => words.came(source.path, [sourceId(source)]));
    return say(reasons.join("; "));
  });
}
