import { allForUser, hopId, isHopId } from "@toolrail/core/adapter";
import { markOutput, readMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts, partsOf, resultsOf } from "../tools/messages.ts";
import { outputOf } from "../tools/model-output.ts";
import { toParts } from "./fold-history.ts";
import { openWaiting } from "./input-requests.ts";
import type { PendingHops, WaitingHop } from "./pending-hops.ts";

/**
 * What is to be done after the results since the last turn: the pending hops that they ask for, in order; why others are
 * lost, by the asking calls; the hops that a person has refused; and whether the user was shown all there is.
 */
export async function readTurn(store: PendingHops, messages: readonly unknown[]) {
  const at = messages.findLastIndex((message) => !isOfChain(message));
  const results = messages.slice(at + 1).flatMap(resultsOf);
  const said = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(said.map(({ toolCallId }) => toolCallId));
  const open = async (id: string): Promise<readonly WaitingHop[] | string> => {
    // The SDK passes over a call whose tool it does not have, be it approved or not.
    if (begun.has(id)) return results.some(({ toolCallId }) => toolCallId === id) ? [] : LEFT_OUT;
    const pending = await store.find(id);
    if (!pending) return NO_TICKET;
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
    isShown: asRecord(messages[at]).role === "assistant" && allForUser(results.map(markOf)),
  };
}

/** True for results, and for the call of a hop: no turn of a model or a person. */
function isOfChain(message: unknown): boolean {
  const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
  const isHop = calls.length > 0 && calls.every((part) => readMark(part).root !== undefined);
  return isHop || asRecord(message).role === "tool";
}

const LEFT_OUT = "It was not answered, or its tool is gone.";
const NO_TICKET =
  "This host no longer knows it: it has expired, another run may have made it, it was dropped since the memory for waiting " +
  "hops was full (limits.maxConversationBytes, limits.maxStoreBytes), or it was asked for in another process that shares no " +
  "`store` with this one.";

/** The messages in which each result whose hop was lost says so, since a model must not take it for the end. */
export function tellLostHops(
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
