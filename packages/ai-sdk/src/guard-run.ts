import {
  type GuardedQuery,
  type GuardOutcome,
  isNotCalledText,
  outcomeText,
  type SingleStep,
} from "@toolrail/core";
import { partsOf, resultsOf } from "./messages.ts";
import type { FileForm } from "./model-output.ts";

/** One run of the SDK under guard: the query, and what has become of it. */
export interface GuardRun {
  /** Shut from the start where the messages that the run began with hold a call that was made. */
  query: GuardedQuery;
  /** The messages were looked at. */
  isRead: boolean;
  /** The outcome of the call, or of the last refusal while there is none. */
  outcome: GuardOutcome | undefined;
  /** True where the model may only answer from here on. */
  isOver: boolean;
  /** The model was asked for an answer alone. */
  isAsked: boolean;
  files: FileForm;
}

/** Starts the run of a query. */
export function startRun(guard: SingleStep, queryId: string | undefined): GuardRun {
  const query = guard.startQuery(
    queryId === undefined ? undefined : { id: queryId, phase: "open", refusals: 0 },
  );
  const fresh = { isRead: false, isOver: false, isAsked: false, files: "by-kind" } as const;
  return { query, outcome: undefined, ...fresh };
}

/** What the user is told where no model has the word, and what models read of it later. */
export function replyOf({ outcome, query }: GuardRun): { text: string; note: string } {
  if (outcome === undefined) {
    const isSpent = query.state.phase !== "open";
    const text = isSpent ? "This query has had its one call." : "No tool was called.";
    return { text, note: text };
  }
  const text = outcomeText(outcome);
  return { text, note: outcome.code === "complete" ? text : `(${outcome.code})` };
}

/** Shuts the gate where the run goes on with a history that holds the call: looks once, at its start. */
export function readHistory(
  guard: SingleStep,
  run: GuardRun,
  messages: readonly unknown[],
  toolCallId?: string,
): void {
  if (run.isRead) return;
  run.isRead = true;
  if (!hasCalled(messages, toolCallId)) return;
  run.query = guard.startQuery({ id: run.query.id, phase: "spent", refusals: 0 });
  run.isOver = true;
}

/**
 * True where the messages since the user spoke hold the result of another call that was made: a run
 * that goes on after an approval begins with an open gate, and its history closes it.
 */
function hasCalled(messages: readonly unknown[], toolCallId?: string): boolean {
  const last = messages.findLastIndex((message) => (message as { role?: unknown }).role === "user");
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const asked = messages.flatMap((message) => partsOf(message, "assistant"));
  return results.some((result) => {
    if (result.toolCallId === toolCallId) return false;
    const isAsked = asked.some((part) => part.toolCallId === result.toolCallId);
    return isAsked && !isRefusal(result.output);
  });
}

/** How the SDK begins what it says of a call that it did not make. */
const SDK_REFUSAL =
  /^(AI_\w+Error: )?(Model tried to call unavailable tool|Invalid input for tool) /;

/** True for the result of a call that was not made. Anything else counts as made. */
function isRefusal(output: unknown): boolean {
  const { type, value } = (output ?? {}) as { type?: unknown; value?: unknown };
  if (type === "execution-denied") return true;
  // No text of a server is an error-text: see `outcomeView`.
  if (type !== "error-text" || typeof value !== "string") return false;
  return isNotCalledText(value) || SDK_REFUSAL.test(value);
}
