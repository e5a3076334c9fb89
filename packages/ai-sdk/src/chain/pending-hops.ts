import { allForUser, hopId, isHopId } from "@toolrail/core/adapter";
import { readMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts, partsOf, resultsOf } from "../tools/messages.ts";
import { joinOutputs } from "./fold-history.ts";
import type { HopTickets } from "./hop-tickets.ts";
import { openSteps } from "./pipe-pauses.ts";
import { type QuestionTicket, readQuestion } from "./questions.ts";

/** The tickets that the results since the last turn ask for, in order, and why others are lost, by the asking calls. */
export async function findPendingHops(store: HopTickets, messages: readonly unknown[]) {
  const said = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(said.map(({ toolCallId }) => toolCallId));
  const { results } = sinceTurn(messages);
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const asked = new Set(results.flatMap((part) => markOf(part).call ?? []));
  const lost = new Map<string, string>();
  /** A question that was answered becomes the call that is made again, and a pipe the steps that it waits for. */
  const toOpen = async (ticket: QuestionTicket | undefined) => {
    if (ticket?.asks) return openSteps(store, ticket, { begun, results });
    const question = ticket?.call.question;
    if (!ticket || !question) return ticket && [ticket];
    const input = readQuestion(question, { begun, results });
    if (input === "open") return [ticket];
    if (input === "left") return LEFT;
    const answered = { ...ticket, input };
    await store.keep(answered);
    return [answered];
  };
  const find = async (call: string) => {
    const found = store.find(hopId(call)).then(toOpen);
    const open = await found.catch(({ message }: Error) => message);
    if (typeof open === "object") return open;
    lost.set(call, open ?? NO_TICKET);
    return [];
  };
  const open = [...asked].filter((call) => !begun.has(hopId(call)));
  // The SDK passes over a call whose tool it does not have, be it approved or not.
  const left = [...asked].filter((call) => begun.has(hopId(call)) && !answered.has(hopId(call)));
  for (const call of left) lost.set(call, LEFT);
  return { tickets: (await Promise.all(open.map(find))).flat(), lost };
}

const LEFT = "It was not answered, or its tool is gone.";
const NO_TICKET =
  "This host no longer knows it: it has expired, another run has made it, it was dropped since the memory for waiting " +
  "hops was full (limits.maxScopeBytes, limits.maxStoreBytes), or it was asked for in another process that shares no " +
  "`store` with this one.";

/** Gives up the hops that a person has just refused. */
export async function dropDeniedHops(
  tickets: HopTickets,
  messages: readonly unknown[],
): Promise<void> {
  const { results } = sinceTurn(messages);
  const denied = results.filter(({ output }) => asRecord(output).type === "execution-denied");
  const ids = denied.map(({ toolCallId }) => String(toolCallId)).filter(isHopId);
  await Promise.all(ids.map((id) => tickets.drop(id)));
}

/** True where all results since the model's last turn were for the user alone. */
export function areShownToUser(messages: readonly unknown[]): boolean {
  const { turn, results } = sinceTurn(messages);
  return asRecord(turn).role === "assistant" && allForUser(results.map(markOf));
}

/** The messages in which each result whose hop was lost says so, since a model must not take it for the end. */
export function tellLostHops(
  messages: readonly unknown[],
  lost: ReadonlyMap<string, string>,
): readonly unknown[] {
  if (lost.size === 0) return messages;
  return mapParts(messages, (part) => {
    const why = lost.get(markOf(part).call ?? "");
    if (why === undefined) return [part];
    const value = `The chain of tool calls ended early. Its next call was not made. ${why}`;
    return [{ ...part, output: joinOutputs([part.output, { type: "error-text", value }]) }];
  });
}

function markOf({ output }: MessagePart) {
  return readMark(output);
}

/** The last message that no chain wrote, a model's or a person's, and the results since. */
function sinceTurn(messages: readonly unknown[]) {
  const at = messages.findLastIndex((message) => {
    const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
    const isHop = calls.length > 0 && calls.every((part) => readMark(part).root !== undefined);
    return asRecord(message).role !== "tool" && !isHop;
  });
  return { turn: messages[at], results: messages.slice(at + 1).flatMap(resultsOf) };
}
