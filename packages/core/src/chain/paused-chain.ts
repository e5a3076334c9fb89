import { isJsonObject, quoted } from "@toolrail/json";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import { isCall, isHop } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";

/** Returns the options of a call that has waited for a person, with their decision. */
export function toAnswered(
  { lostAttempts, binding: approved, changedFrom, inputRequest }: Partial<PendingCall> = {},
  decision: Decision,
): Pick<CallOptions, "lostAttempts" | "approved" | "changedFrom" | "answers"> {
  const input = typeof decision === "object" && "input" in decision ? decision.input : undefined;
  const answers = inputRequest && input && { inputRequest: inputRequest.id, input };
  return { lostAttempts, approved, changedFrom, answers };
}

/** Returns why a stored chain cannot continue with this decision, or `undefined` if it can. A hop without an earlier result can only be denied. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is not a chain.`;
  const { runId, ended, hops, pending } = chain;
  const asks = ended === "needs-input";
  if (ended !== "needs-approval" && !asks) {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of an unknown kind"}.`;
  }
  const given = isJsonObject(decision) ? decision : {};
  const change = isJsonObject(given.approve) && given.deny === undefined ? given.approve : {};
  const isYes = decision === "approve" || isJsonObject(change.arguments);
  const continues = asks ? isJsonObject(given.input) : isYes;
  if (!continues && typeof given.deny !== "string") return asks ? ANSWER : DECISION;
  if (typeof runId !== "string") return broken("its runId is not a string");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is invalid");
  const { binding, inputRequest } = pending;
  const waits = asks ? isJsonObject(inputRequest) && inputRequest.id : binding;
  if (typeof waits !== "string") {
    return broken(`its pending call has no ${asks ? "input request" : "binding"}`);
  }
  if (continues && hops.length === 0 && pending.origin.by === "chain") {
    return broken("its pending call follows from a result, but there is no result");
  }
  return undefined;
}

const ONLY = "Only a chain that ended with needs-approval or needs-input can be resumed";
const DECISION =
  'A decision on a pending call must be "approve", { approve: { arguments } } or { deny: reason }.';
const ANSWER =
  "This chain asks the user something: resume it with { input: answers by the keys of `pending.inputRequest.requests` } or { deny: reason }.";

function broken(why: string): string {
  return `This chain cannot be resumed: ${why}. Keep what \`host.run\` returned unchanged, as JSON.`;
}
