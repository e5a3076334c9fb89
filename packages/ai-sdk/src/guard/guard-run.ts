import {
  type GuardedQuery,
  type GuardOutcome,
  isNotCalledText,
  type SingleStep,
} from "@toolrail/core/guard";
import { SDK_REFUSAL } from "../sdk-internals.ts";
import { asRecord, partsOf, resultsOf } from "../tools/messages.ts";

/** One run of the SDK under guard: the query, and what has become of it. */
export interface GuardRun {
  readonly guard: SingleStep;
  readonly query: GuardedQuery;
  /** The outcome of the call, or of the last refusal while there is none. */
  outcome: GuardOutcome | undefined;
  /** The model was asked for an answer alone. */
  isAsked: boolean;
}

/** True where the messages since the user spoke hold another call that was made, as in a run before an approval. */
export function hasCalled(messages: readonly unknown[], toolCallId?: string): boolean {
  const last = messages.findLastIndex((message) => asRecord(message).role === "user");
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const asked = messages.flatMap((message) => partsOf(message, "assistant"));
  return results.some((result) => {
    if (result.toolCallId === toolCallId) return false;
    const isAsked = asked.some((part) => part.toolCallId === result.toolCallId);
    return isAsked && !isRefusal(result.output);
  });
}

/** True for the result of a call that was not made. Anything else counts as made. */
function isRefusal(output: unknown): boolean {
  const { type, value } = asRecord(output);
  if (type === "execution-denied") return true;
  // No text of a server is an error-text: see `outcomeView`.
  if (type !== "error-text" || typeof value !== "string") return false;
  return isNotCalledText(value) || SDK_REFUSAL.test(value);
}
