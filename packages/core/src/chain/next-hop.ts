import { toToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import { callText } from "./call-text.ts";
import { type DecidedEnd, endAtOutput, endChain } from "./chain-end.ts";
import { decideNext } from "./decide-next.ts";
import { buildCall, type ChainRules, checkNext } from "./next-call.ts";

/** The result of deciding what follows: a call still to be made, or the end of the chain. */
export type NextHop =
  | { readonly type: "call"; readonly call: PendingCall; readonly seen: readonly string[] }
  | DecidedEnd;

/** Decides what follows from a hop. `before` lists the earlier calls, each by its text, or by a hash of it if it was stored. */
export type DecideNext = (
  hop: Hop,
  before?: readonly string[],
  options?: { readonly context?: unknown },
) => Promise<NextHop>;

export function createNextHop(rules: ChainRules): DecideNext {
  const { hooks, nextToolKeys, maxChainDepth } = rules;
  return async (hop, before = [], { context } = {}) => {
    const invalid = endAtOutput(hop);
    if (invalid) return invalid;
    let pending: PendingCall | undefined;
    try {
      const { tools } = rules.catalog();
      const keys = nextToolKeys.get(hop.server);
      const asked = await decideNext(hooks, { hop, context, tools, keys });
      if (!asked) return endChain();
      await rules.settle(hop.server); // The change may have arrived together with the result.
      const seen = [...before, callText(hop)];
      pending = buildCall(rules, { ...asked, hop, depth: seen.length });
      checkNext(pending, { asked, hop, seen, maxChainDepth });
      return { type: "call", call: pending, seen };
    } catch (cause) {
      return endChain(
        toToolrailError(cause, "The next call of the chain could not be determined"),
        pending,
      );
    }
  };
}
