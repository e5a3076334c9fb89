import type { Host } from "@toolrail/core";
import { throwAborted } from "@toolrail/core/adapter";
import type { GuardedCallOptions, GuardedQuery, GuardOutcome } from "@toolrail/guard";
import { throwClaimed } from "../langgraph-internals.ts";
import { askOrDeny } from "../tools/ask-person.ts";

/** Returns the outcome of a guarded call. An interrupt asks a person if it needs one. */
export async function finishCall(
  outcome: GuardOutcome,
  { host, query, options }: { host: Host; query: GuardedQuery; options: GuardedCallOptions },
): Promise<GuardOutcome> {
  let settled = outcome;
  while (settled.verdict === "ask") {
    const decision = await askOrDeny(host, settled.pending);
    settled = await query.resume(decision as Parameters<typeof query.resume>[0], options);
  }
  throwAborted(settled.code, options.signal);
  if (settled.verdict === "block") throwClaimed(settled);
  return settled;
}
