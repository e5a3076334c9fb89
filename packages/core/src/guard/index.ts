/** The single-step guard: a plan, at most one call for a query, and a summary that is checked against the result. @module */

export type { Allowlist } from "./allowlist.ts";
export {
  type AnswerOptions,
  answerQuery,
  checkQuery,
  type QueryAnswer,
  summarizeOutcome,
} from "./answer-query.ts";
export type { GuardTurn } from "./outcome.ts";
export {
  guardTurn,
  isMade,
  keepOutcome,
  keepResult,
  outcomeText,
  outcomeView,
  toBlocked,
} from "./outcome.ts";
export { type Plan, parsePlan, plannerPrompt } from "./plan.ts";
export { MAX_REFUSALS, openQuery, shutQuery } from "./query-state.ts";
export {
  createSingleStep,
  GUARD_OPTIONS,
  type SingleStep,
  type TypedQuery,
} from "./single-step.ts";
export { checkSummary, type SummaryVerdict, summaryPrompt } from "./summary/check-summary.ts";
export type {
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryPhase,
  QueryState,
  SingleStepOptions,
} from "./types.ts";
