import { type ChainLedger, type HopTicket, hopId, isHopId } from "@toolrail/core";
import { readResultMark, readRoot } from "./marks.ts";
import { partsOf, resultsOf, trailingResults } from "./messages.ts";

/** The hops that the latest results ask for and that are still to be made, in the order of the results. */
export async function findPendingHops(
  ledger: ChainLedger,
  messages: readonly unknown[],
): Promise<readonly HopTicket[]> {
  const calls = trailingResults(messages).flatMap(
    ({ output }) => readResultMark(output).call ?? [],
  );
  const tickets = await Promise.all([...new Set(calls)].map((call) => ledger.find(hopId(call))));
  return tickets.filter((ticket) => ticket !== undefined);
}

/** Gives up the hops that a person has just refused. */
export async function dropDeniedHops(
  ledger: ChainLedger,
  messages: readonly unknown[],
): Promise<void> {
  const denied = trailingResults(messages).filter(
    ({ output }) => (output as { type?: unknown } | undefined)?.type === "execution-denied",
  );
  const ids = denied.flatMap(({ toolCallId: id }) =>
    typeof id === "string" && isHopId(id) ? [id] : [],
  );
  await Promise.all(ids.map((id) => ledger.drop(id)));
}

/** True where all results since the model's last turn were for the user alone. */
export function areShownToUser(messages: readonly unknown[]): boolean {
  const turn = messages.findLastIndex((message) => !isResultOrHop(message));
  const results = messages.slice(turn + 1).flatMap(resultsOf);
  return results.length > 0 && results.every(({ output }) => readResultMark(output).userOnly);
}

function isResultOrHop(message: unknown): boolean {
  if ((message as { role?: unknown } | null)?.role === "tool") return true;
  const calls = partsOf(message, "assistant").filter(({ type }) => type === "tool-call");
  return calls.length > 0 && calls.every((part) => readRoot(part) !== undefined);
}
