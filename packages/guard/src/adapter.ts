/** The parts of the guard that adapters need for a framework's loop. Unstable: it may change in any release. @module */

export { checkQuery, summarizeOutcome } from "./answer-query.ts";
export type { GuardTurn } from "./outcome.ts";
export { guardTurn, isMade, keepOutcome, keepResult, outcomeView, toBlocked } from "./outcome.ts";
export { MAX_REFUSALS, shutQuery } from "./query-state.ts";
export { GUARD_OPTIONS } from "./single-step.ts";
