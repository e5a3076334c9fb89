import { isJsonObject } from "../json.ts";
import { quoted } from "../plain-text.ts";
import { isCall, isHop } from "../result/hop.ts";

/** Why a chain that was kept does not wait for this word of a person; `undefined` where it does. A lone hop may only be refused. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is not a chain.`;
  const { runId, ended, hops, pending } = chain;
  const asks = ended === "needs-input";
  if (ended !== "needs-approval" && !asks) {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of an unknown kind"}.`;
  }
  const word = isJsonObject(decision) ? decision : {};
  const goesOn = asks ? isJsonObject(word.input) : decision === "approve";
  if (!goesOn && typeof word.deny !== "string") return asks ? ANSWER : DECISION;
  if (typeof runId !== "string") return broken("its runId is not a string");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is invalid");
  const { binding, question } = pending;
  const waits = asks ? isJsonObject(question) && question.id : binding;
  if (typeof waits !== "string") {
    return broken(`its pending call has no ${asks ? "question" : "binding"}`);
  }
  if (goesOn && hops.length === 0 && pending.origin.by === "chain") {
    return broken("its pending call follows from a result, but there is no result");
  }
  return undefined;
}

const ONLY = "Only a chain that ended with needs-approval or needs-input can be resumed";
const DECISION = 'A decision on a pending call must be "approve" or { deny: reason }.';
const ANSWER =
  "This chain asks the user something: resume it with { input: answers by the keys of `pending.question.requests` } or { deny: reason }.";

function broken(why: string): string {
  return `This chain cannot be resumed: ${why}. Keep what \`host.run\` returned unchanged, as JSON.`;
}
