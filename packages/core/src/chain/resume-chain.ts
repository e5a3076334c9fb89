import { isJsonObject, quoted } from "@toolrail/json";
import { FOLLOWS, keyAfter } from "../call/approval.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, Decision, PendingCall } from "../result/chain-result.ts";
import { isCall, isHop, toRef, toTraced } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import { chainEndOf } from "./chain-end.ts";
import { callText, toRequest } from "./next-hop.ts";
import { type ChainParts, type OnHop, runChain } from "./run-chain.ts";

type PausedChain = ChainResult & { readonly pending: PendingCall };

interface Resumed {
  readonly paused: ChainResult;
  readonly decision: Decision;
  readonly onHop?: OnHop | undefined;
}

/** Goes on with a chain that waits for a person, from where it stood. */
export async function resumeChain(
  parts: ChainParts,
  { paused, decision, onHop }: Resumed,
  options: CallOptions,
): Promise<ChainResult> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as PausedChain;
  const stated = statedBefore(pending, options);
  const finish = (error: ToolrailError, waits = pending): ChainResult => {
    const end = { runId, ended: chainEndOf(error), error };
    parts.onEnd({ ...end, hops: hops.length });
    return { ...end, hops, pending: waits };
  };
  if (decision !== "approve" && "deny" in decision) {
    const how = pending.inputRequest ? "continued" : "approved";
    return finish(denied(pending, `${how}: ${decision.deny}`));
  }
  const asked = await nextCall(parts, paused as PausedChain, stated);
  if (ToolrailError.isInstance(asked)) return finish(asked);
  const { decideCall } = await import("./change-call.ts");
  const { call: next, error } = await decideCall(parts.door, asked, { ...stated, decision });
  if (error) return finish(error, next);
  const answered = toAnswered(next, decision);
  const key = keyAfter({ ...stated, ...answered }, parts.door);
  const asking = { ...stated, key, origin: next.origin, ...answered };
  return runChain(parts, { request: toRequest(next), runId, before: hops, onHop }, asking);
}

/** The options of a chain that goes on: what it was begun with need not be said again, and must not be something else. */
function statedBefore({ key, conversation }: PendingCall, options: CallOptions): CallOptions {
  if (options.conversation !== undefined && options.conversation !== conversation)
    throw begunWith("conversation", conversation);
  const { key: told = key } = options;
  if (told !== key && FOLLOWS + told !== key) throw begunWith("key", key);
  return { ...options, conversation, key };
}

function begunWith(name: string, value: string | undefined): ToolrailError {
  const begun = value === undefined ? `without a \`${name}\`` : `with another \`${name}\``;
  const message = `This chain was begun ${begun}: leave \`${name}\` out when you resume it.`;
  return new ToolrailError("invalid-options", message);
}

/** What the door takes of a person's word, when the call that waited for it is made. */
export function toAnswered(
  { lostAttempts, binding: approved, changedFrom, inputRequest }: Partial<PendingCall> = {},
  decision: Decision,
): Pick<CallOptions, "lostAttempts" | "approved" | "changedFrom" | "answers"> {
  const input = typeof decision === "object" && "input" in decision ? decision.input : undefined;
  const answers = inputRequest && input && { inputRequest: inputRequest.id, input };
  return { lostAttempts, approved, changedFrom, answers };
}

function denied(pending: PendingCall, why: string): ToolrailError {
  return new ToolrailError("denied", `${toolId(toRef(pending))} was not ${why}`);
}

/** A pause may be long, and the chain kept where others can write: what was asked must still be so. */
async function nextCall(
  { nextHop }: ChainParts,
  { hops, pending }: PausedChain,
  options: CallOptions,
): Promise<PendingCall | ToolrailError> {
  const last = hops.at(-1);
  if (!last) return pending;
  const next = await nextHop(last, hops.slice(0, -1).map(callText), options);
  if (next.type === "end" && next.error) return next.error;
  const { changedFrom, origin } = pending;
  const first = changedFrom ? { ...pending, arguments: changedFrom } : pending;
  if (next.type === "call" && callText(next.call) === callText(first)) {
    return { ...pending, origin: toTraced(next.call.origin, origin.traceparent) };
  }
  return denied(pending, "called: the last result of the chain asks for another call.");
}

/** Why a chain that was kept does not wait for this word of a person; `undefined` where it does. A lone hop may only be refused. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is not a chain.`;
  const { runId, ended, hops, pending } = chain;
  const asks = ended === "needs-input";
  if (ended !== "needs-approval" && !asks) {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of an unknown kind"}.`;
  }
  const word = isJsonObject(decision) ? decision : {};
  const change = isJsonObject(word.approve) && word.deny === undefined ? word.approve : {};
  const isYes = decision === "approve" || isJsonObject(change.arguments);
  const goesOn = asks ? isJsonObject(word.input) : isYes;
  if (!goesOn && typeof word.deny !== "string") return asks ? ANSWER : DECISION;
  if (typeof runId !== "string") return broken("its runId is not a string");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is invalid");
  const { binding, inputRequest } = pending;
  const waits = asks ? isJsonObject(inputRequest) && inputRequest.id : binding;
  if (typeof waits !== "string") {
    return broken(`its pending call has no ${asks ? "input request" : "binding"}`);
  }
  if (goesOn && hops.length === 0 && pending.origin.by === "chain") {
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
