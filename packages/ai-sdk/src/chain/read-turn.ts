import { allForUser, hopId, isHopId } from "@toolrail/core/adapter";
import { readMark } from "../tools/marks.ts";
import { asRecord, partsOf, resultsOf } from "../tools/messages.ts";
import type { PendingHops, WaitingHop } from "./pending-hops.ts";
import { LEFT } from "./waiting-steps.ts";

interface Turn {
  readonly messages: readonly unknown[];
  /** True if the user has written something after these results, so that no chain continues. */
  readonly isInterrupted: boolean;
  /** Returns true if another tool than the host's has the name of the tool that is to be called. */
  isTaken(pending: WaitingHop): boolean;
}

/**
 * Reads the results since the last turn. Returns the hops that they ask for, in order, the reasons why other hops are
 * lost, the hops that a person refused, and whether the user was shown all results. Decisions in the messages are stored.
 */
export async function readTurn(
  pendingHops: PendingHops,
  { messages, isInterrupted, isTaken }: Turn,
) {
  const last = messages.findLastIndex((message) => !isOfChain(message));
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const written = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(written.map(({ toolCallId }) => toolCallId));

  /**
   * Reads the decision on a call, or `undefined` if no page has shown the call yet. Approvals are stored by the check
   * of the call, and not read here.
   */
  const readDecision = ({ id }: WaitingHop): WaitingHop["decision"] => {
    const result = results.findLast(({ toolCallId }) => toolCallId === id);
    if (!result) return begun.has(id) ? LEFT : undefined;
    const { type, reason = "refused." } = asRecord(result.output);
    return type === "execution-denied" ? { deny: String(reason) } : LEFT;
  };

  const settle = async (pending: WaitingHop): Promise<WaitingHop> => {
    if (pending.decision) return pending;
    const decision = isTaken(pending) ? { deny: NAME_TAKEN } : readDecision(pending);
    if (decision) await pendingHops.keep({ ...pending, decision });
    return { ...pending, decision };
  };

  /** Finds the calls to make: for a pipe, its steps that no page has shown yet, or else the hop itself. Or why there are none. */
  const open = async (id: string): Promise<readonly WaitingHop[] | string> => {
    // The SDK skips a call whose tool it does not have, approved or not.
    if (begun.has(id)) return results.some(({ toolCallId }) => toolCallId === id) ? [] : LEFT_OUT;
    const pending = await pendingHops.find(id);
    if (!pending) return NOT_FOUND;
    if (isTaken(pending)) return NAME_TAKEN;
    const isPlain = !pending.asks;
    if (isInterrupted) {
      if (isPlain) await pendingHops.drop(id);
      return INTERRUPTED;
    }
    if (isPlain) return [pending];
    const found = await Promise.all(
      Object.values(pending.asks ?? {}).map((ask) => pendingHops.find(ask)),
    );
    const steps = await Promise.all(found.flatMap((step) => (step ? settle(step) : [])));
    const unanswered = steps.filter(({ decision }) => !decision);
    if (unanswered.length > 0) return unanswered;
    const settled = await settle(pending);
    const { decision } = settled;
    return typeof decision === "object" && "deny" in decision ? LEFT_OUT : [settled];
  };

  const lost = new Map<string, string>();
  const marks = results.map(({ output }) => readMark(output));
  const opened = [...new Set(marks.flatMap((mark) => mark.call ?? []))].map(async (call) => {
    const hops = await open(hopId(call)).catch(({ message }: Error) => message);
    if (typeof hops !== "string") return hops;
    lost.set(call, hops);
    return [];
  });
  const denied = results.filter(({ output }) => asRecord(output).type === "execution-denied");
  return {
    hops: (await Promise.all(opened)).flat(),
    lost,
    denied: denied.map(({ toolCallId }) => String(toolCallId)).filter(isHopId),
    isShown: asRecord(messages[last]).role === "assistant" && allForUser(marks),
  };
}

/** Returns true for results and for calls of hops, which neither a model nor a person wrote. */
function isOfChain(message: unknown): boolean {
  const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
  const isHop = calls.length > 0 && calls.every((part) => readMark(part).root !== undefined);
  return isHop || asRecord(message).role === "tool";
}

const LEFT_OUT = "Nobody answered it, or its tool no longer exists.";
const INTERRUPTED = "The user wrote something first.";
const NAME_TAKEN = "The application has another tool with the name of its tool.";
const NOT_FOUND =
  "This host no longer has it: it has expired, another run may have made it, it was dropped because the memory for waiting " +
  "hops was full (limits.maxConversationBytes, limits.maxStoreBytes), or another process that shares no `store` with this " +
  "one decided on it.";
