import { allForUser, hopId, isHopId } from "@toolrail/core/adapter";
import { markOutput, readMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts, partsOf, resultsOf } from "../tools/messages.ts";
import { outputOf } from "../tools/model-output.ts";
import { toParts } from "./fold-history.ts";
import { openWaiting } from "./input-requests.ts";
import type { PendingHops, WaitingHop } from "./pending-hops.ts";

/**
 * Reads the results since the last turn. Returns the pending hops that they ask for, in order, the reasons why other
 * hops are lost, the hops that a person refused, and whether the user was shown all results.
 */
export async function readTurn(store: PendingHops, messages: readonly unknown[]) {
  const last = messages.findLastIndex((message) => !isOfChain(message));
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const written = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(written.map(({ toolCallId }) => toolCallId));
  const open = async (id: string): Promise<readonly WaitingHop[] | string> => {
    // The SDK skips a call whose tool it does not have, approved or not.
    if (begun.has(id)) return results.some(({ toolCallId }) => toolCallId === id) ? [] : LEFT_OUT;
    const pending = await store.find(id);
    if (!pending) return NOT_FOUND;
    if (!pending.asks && !pending.call.inputRequest) return [pending];
    return (await openWaiting(store, { pending, begun, results })) ?? LEFT_OUT;
  };
  const lost = new Map<string, string>();
  const opened = [...new Set(results.flatMap((part) => markOf(part).call ?? []))].map(
    async (call) => {
      const pendingHops = await open(hopId(call)).catch(({ message }: Error) => message);
      if (typeof pendingHops !== "string") return pendingHops;
      lost.set(call, pendingHops);
      return [];
    },
  );
  const denied = results.filter(({ output }) => asRecord(output).type === "execution-denied");
  return {
    pendingHops: (await Promise.all(opened)).flat(),
    lost,
    denied: denied.map(({ toolCallId }) => String(toolCallId)).filter(isHopId),
    isShown: asRecord(messages[last]).role === "assistant" && allForUser(results.map(markOf)),
  };
}

/** Returns true for results and for calls of hops, which neither a model nor a person wrote. */
function isOfChain(message: unknown): boolean {
  const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
  const isHop = calls.length > 0 && calls.every((part) => readMark(part).root !== undefined);
  return isHop || asRecord(message).role === "tool";
}

const LEFT_OUT = "Nobody answered it, or its tool no longer exists.";
const NOT_FOUND =
  "This host no longer has it: it has expired, another run may have made it, it was dropped because the memory for waiting " +
  "hops was full (limits.maxConversationBytes, limits.maxStoreBytes), or another process that shares no `store` with this " +
  "one decided on it.";

/** Adds to each result whose hop was lost that the chain ended early, so that a model does not take it for the end. */
export function markLostHops(
  messages: readonly unknown[],
  lost: ReadonlyMap<string, string>,
): readonly unknown[] {
  if (lost.size === 0) return messages;
  return mapParts(messages, (part) => {
    const why = lost.get(markOf(part).call ?? "");
    if (why === undefined) return [part];
    const text = `The chain of tool calls ended early. Its next call was not made in this run. ${why}`;
    const { waits, made } = markOf(part);
    const output = outputOf([...(waits ? [] : toParts(part.output)), { type: "text", text }], true);
    return [{ ...part, output: markOutput(output, made === undefined ? {} : { made }) }];
  });
}

function markOf({ output }: MessagePart) {
  return readMark(output);
}
