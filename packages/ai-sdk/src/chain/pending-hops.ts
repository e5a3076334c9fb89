import { allForUser, hopId, isHopId } from "@toolrail/core/adapter";
import { readMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts, partsOf, resultsOf } from "../tools/messages.ts";
import { joinOutputs } from "./fold-history.ts";
import type { HopTickets } from "./hop-tickets.ts";
import { readDecision, type WaitingTicket } from "./questions.ts";

/** The tickets that the results since the last turn ask for, in order, and why others are lost, by the asking calls. */
export async function findPendingHops(store: HopTickets, messages: readonly unknown[]) {
  const { results } = sinceTurn(messages);
  const said = messages.flatMap((message) => partsOf(message, "assistant"));
  const begun = new Set(said.map(({ toolCallId }) => toolCallId));
  /** The ticket with what messages say to it, which is kept. */
  const settle = async (ticket: WaitingTicket): Promise<WaitingTicket> => {
    const decision = ticket.decision ? undefined : readDecision(ticket, { begun, results });
    if (!decision) return ticket;
    const settled = { ...ticket, decision };
    await store.keep(settled);
    return settled;
  };
  /** A pipe waits for its steps: those that nobody has been asked about go before it. */
  const open = async (id: string): Promise<readonly WaitingTicket[] | string> => {
    // The SDK passes over a call whose tool it does not have, be it approved or not.
    if (begun.has(id)) return results.some(({ toolCallId }) => toolCallId === id) ? [] : LEFT_OUT;
    const ticket = await store.find(id);
    if (!ticket) return (await store.whyGone(id)) ?? NO_TICKET;
    const found = await Promise.all(Object.values(ticket.asks ?? {}).map(store.find));
    const steps = await Promise.all(found.flatMap((step) => (step ? settle(step) : [])));
    const waiting = steps.filter(({ decision }) => !decision);
    if (waiting.length > 0) return waiting;
    const settled = await settle(ticket);
    return isDenied(settled) ? LEFT_OUT : [settled];
  };
  const lost = new Map<string, string>();
  const opened = [...new Set(results.flatMap((part) => markOf(part).call ?? []))].map(
    async (call) => {
      const tickets = await open(hopId(call)).catch(({ message }: Error) => message);
      if (typeof tickets !== "string") return tickets;
      lost.set(call, tickets);
      return [];
    },
  );
  return { tickets: (await Promise.all(opened)).flat(), lost };
}

function isDenied({ decision }: WaitingTicket): boolean {
  return typeof decision === "object" && "deny" in decision;
}

const LEFT_OUT = "It was not answered, or its tool is gone.";
const NO_TICKET =
  "This host no longer knows it: it has expired, another run has made it, or it was asked for in " +
  "another process that shares no `store` with this one.";

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
