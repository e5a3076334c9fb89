/** The single-step guard: a plan, at most one call for a query, and a summary that is checked against the result. @module */

export type { Allowlist } from "./allowlist.ts";
export { type AnswerOptions, answerQuery, type QueryAnswer } from "./answer-query.ts";
export { outcomeText } from "./outcome.ts";
export { type Plan, parsePlan, plannerPrompt } from "./plan.ts";
export { openQuery } from "./query-state.ts";
export { createSingleStep, type SingleStep, type TypedQuery } from "./single-step.ts";
export { checkSummary, type SummaryVerdict, summaryPrompt } from "./summary/check-summary.ts";
export type {
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryPhase,
  QueryState,
  SingleStepOptions,
} from "./types.ts";
