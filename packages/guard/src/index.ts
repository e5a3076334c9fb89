/** The single-step guard: a plan, one call for a query at most, and a summary that the result bears out. @module */

export type { Allowlist, AllowlistEntry } from "./allowlist.ts";
export {
  type AnswerOptions,
  answerQuery,
  checkQuery,
  type QueryAnswer,
  type QueryVerdict,
  summarizeOutcome,
} from "./answer-query.ts";
export { type GuardOutcome, isMade, keepOutcome, toBlocked } from "./outcome.ts";
export {
  type GuardTurn,
  guardTurn,
  keepResult,
  outcomeText,
  outcomeView,
} from "./outcome-view.ts";
export { type AnswerPlan, type CallPlan, type Plan, parsePlan, plannerPrompt } from "./plan.ts";
export type { GuardedCallOptions, GuardedQuery } from "./query.ts";
export {
  MAX_REFUSALS,
  openQuery,
  type QueryPhase,
  type QueryState,
  shutQuery,
} from "./query-state.ts";
export {
  createSingleStep,
  type SingleStep,
  type SingleStepOptions,
  type TypedQuery,
} from "./single-step.ts";
export {
  type Claim,
  type ClaimFault,
  checkSummary,
  type RejectedClaim,
  type Summary,
  type SummarySection,
  type SummaryVerdict,
  summaryPrompt,
} from "./summary/check-summary.ts";
