import type { GuardOutcome } from "./guard-outcome.ts";
import { outcomeText } from "./outcome-view.ts";
import type { QueryPhase } from "./query-phase.ts";

/** What a model may do next in a guarded query. */
export interface GuardTurn {
  /** Tool calls that its answer may hold; those beyond are dropped. */
  readonly calls: 0 | 1;
  /** False where no model may go on: the user gets `reply.text`. */
  readonly askModel: boolean;
  /** What the user is told where the model is not asked, or says nothing. */
  readonly reply?: {
    readonly text: string;
    /** What models read in place of `text` in a later history. */
    readonly note: string;
  };
}

/** What a model may do next: one call while a query is open, then only answer, and nothing after what it may not read. */
export function guardTurn(phase: QueryPhase, outcome?: GuardOutcome): GuardTurn {
  const calls = phase.type === "open" ? 1 : 0;
  if (outcome === undefined) return { calls, askModel: true, ...(calls === 0 && { reply: OVER }) };
  const isReadable = outcome.code === "complete";
  const text = outcomeText(outcome);
  const reply = { text, note: isReadable ? text : `(${outcome.code})` };
  return { calls, askModel: calls === 1 || isReadable, reply };
}

const TEXT = "No further tool call is made for this query.";
const OVER = { text: TEXT, note: TEXT };

/** True where the call of the query was made, or may have been. */
export function isMade(outcome: GuardOutcome | undefined): boolean {
  return outcome !== undefined && ("hop" in outcome || ("called" in outcome && outcome.called));
}

/** Which of two outcomes counts for a query: that of its call, else the last one that says something new. */
export function keepOutcome(before: GuardOutcome | undefined, now: GuardOutcome): GuardOutcome {
  return before && (isMade(before) || now.code === "step-used") ? before : now;
}
