/** The single-step guard: a plan, at most one call for a query, and a summary that is checked against the result. @module */

export {
  type AnswerOptions,
  answerQuery,
  checkQuery,
  type QueryAnswer,
  summarizeOutcome,
} from "./answer-query.ts";
export type { Allowlist, SingleStepOptions } from "./gate.ts";
export {
  type GuardOutcome,
  type GuardTurn,
  guardTurn,
  isMade,
  keepOutcome,
  keepResult,
  outcomeText,
  outcomeView,
  toBlocked,
} from "./outcome.ts";
export { type Plan, parsePlan, plannerPrompt } from "./plan.ts";
export {
  type GuardedCallOptions,
  type GuardedQuery,
  MAX_REFUSALS,
  openQuery,
  type QueryPhase,
  type QueryState,
  shutQuery,
} from "./query.ts";
export {
  createSingleStep,
  GUARD_OPTIONS,
  type SingleStep,
} from "./single-step.ts";
export { checkSummary, type SummaryVerdict, summaryPrompt } from "./summary.ts";
