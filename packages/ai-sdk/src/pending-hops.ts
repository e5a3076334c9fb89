import { type ChainLedger, type HopTicket, hopId, isHopId } from "@toolrail/core";
import { readResultMark, readRoot } from "./marks.ts";
import { type MessagePart, partsOf, resultsOf } from "./messages.ts";

/** What the results since the last turn ask for and nobody has made. */
export interface PendingHops {
  /** Still to be made, in the order of the results. */
  readonly tickets: readonly HopTicket[];
  /** Those that can be made no more, each by the id of the call that asked for it, with the reason. */
  readonly lost: ReadonlyMap<string, string>;
}

export async function findPendingHops(
  ledger: ChainLedger,
  messages: readonly unknown[],
): Promise<PendingHops> {
  const made = new Set(messages.flatMap((message) => partsOf(message, "assistant")).map(idOf));
  const asked = new Set(
    resultsSince(findTurn(messages), messages).flatMap(
      ({ output }) => readResultMark(output).call ?? [],
    ),
  );
  const tickets: HopTicket[] = [];
  const lost = new Map<string, string>();
  await Promise.all(
    [...asked].map(async (call, at) => {
      if (made.has(hopId(call))) return;
      try {
        const ticket = await ledger.find(hopId(call));
        if (ticket) tickets[at] = ticket;
        else lost.set(call, NO_TICKET);
      } catch (cause) {
        lost.set(call, `Its next call was not made. ${(cause as Error).message}`);
      }
    }),
  );
  return { tickets: tickets.filter((ticket) => ticket !== undefined), lost };
}

const NO_TICKET =
  "Its next call was not made, since this host does not know of it any more: it has expired, another " +
  "run has made it, or it was asked for in another process that shares no `chainStore` with this one.";

/** Gives up the hops that a person has just refused. */
export async function dropDeniedHops(
  ledger: ChainLedger,
  messages: readonly unknown[],
): Promise<void> {
  const denied = resultsSince(findTurn(messages), messages).filter(
    ({ output }) => (output as { type?: unknown } | undefined)?.type === "execution-denied",
  );
  const ids = denied.flatMap(({ toolCallId: id }) =>
    typeof id === "string" && isHopId(id) ? [id] : [],
  );
  await Promise.all(ids.map((id) => ledger.drop(id)));
}

/** True where all results since the model's last turn were for the user alone. */
export function areShownToUser(messages: readonly unknown[]): boolean {
  const turn = findTurn(messages);
  const results = resultsSince(turn, messages);
  const isOfModel = (messages[turn] as { role?: unknown } | null)?.role === "assistant";
  return (
    isOfModel &&
    results.length > 0 &&
    results.every(({ output }) => readResultMark(output).userOnly)
  );
}

/** The last message that a chain has no part in: the model's turn, or what a person has said since. */
function findTurn(messages: readonly unknown[]): number {
  return messages.findLastIndex((message) => !isResultOrHop(message));
}

function resultsSince(turn: number, messages: readonly unknown[]): readonly MessagePart[] {
  return messages.slice(turn + 1).flatMap(resultsOf);
}

function isResultOrHop(message: unknown): boolean {
  if ((message as { role?: unknown } | null)?.role === "tool") return true;
  const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
  return calls.length > 0 && calls.every((part) => readRoot(part) !== undefined);
}

function idOf({ toolCallId }: MessagePart): unknown {
  return toolCallId;
}
