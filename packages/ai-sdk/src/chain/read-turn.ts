import { allForUser, hopId, isHopId, type PendingHop } from "@toolrail/core/adapter";
import { readMark } from "../tools/marks.ts";
import { asRecord, partsOf, resultsOf } from "../tools/messages.ts";
import type { PendingHops } from "./pending-hops.ts";

interface Turn {
  readonly messages: readonly unknown[];
  /** True if the user has written something after these results, so that no chain continues. */
  readonly isInterrupted: boolean;
  /** Returns true if another tool than the host's has the name of the tool that is to be called. */
  isTaken(pending: PendingHop): boolean;
}

/**
 * Reads the results since the last turn. Returns the hops that they ask for, in order, the reasons why other hops are
 * lost, the hops that a person refused, and whether the user was shown all results.
 */
export async function readTurn(
  pendingHops: PendingHops,
  { messages, isInterrupted, isTaken }: Turn,
) {
  const last = messages.findLastIndex((message) => !isOfChain(message));
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const written = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(written.map(({ toolCallId }) => toolCallId));

  /** Finds the hop to make, or says why there is none. A hop that was made already has nothing to say. */
  const open = async (id: string): Promise<PendingHop | string | undefined> => {
    // The SDK skips a call whose tool it does not have, approved or not.
    if (begun.has(id))
      return results.some(({ toolCallId }) => toolCallId === id) ? undefined : LEFT_OUT;
    const pending = await pendingHops.find(id);
    if (!pending) return NOT_FOUND;
    if (isTaken(pending)) return NAME_TAKEN;
    if (!isInterrupted) return pending;
    await pendingHops.drop(id); // Messages that are cut off before the user's words must not bring it back.
    return INTERRUPTED;
  };

  const lost = new Map<string, string>();
  const marks = results.map(({ output }) => readMark(output));
  const opened = [...new Set(marks.flatMap((mark) => mark.call ?? []))].map(async (call) => {
    const hop = await open(hopId(call)).catch(({ message }: Error) => message);
    if (typeof hop !== "string") return hop ?? [];
    lost.set(call, hop);
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
