import { ReducedValue, StateSchema } from "@langchain/langgraph";
import type { GuardOutcome, QueryState } from "@toolrail/core";
import { z } from "zod";

/** Where the query of a run stands, and what became of its call. */
export interface GuardState {
  readonly query: QueryState;
  readonly outcome?: GuardOutcome;
}

/** The state key that holds it. It is private: no input of a graph can open a gate that is shut. */
export const QUERY_KEY = "_toolrailQuery";

const PHASES = { open: 0, pending: 1, spent: 2 };

/** Of two tasks in one step the one that made the call counts; a new query takes the old one's place. */
function mergeStates(current: GuardState | null, update: GuardState | null): GuardState | null {
  if (!current || !update || current.query.id !== update.query.id) return update;
  const [first, second] =
    PHASES[current.query.phase] > PHASES[update.query.phase]
      ? [update, current]
      : [current, update];
  const refusals = Math.max(first.query.refusals, second.query.refusals);
  const outcome = isMade(current.outcome) ? current.outcome : (update.outcome ?? current.outcome);
  return { query: { ...second.query, refusals }, ...(outcome && { outcome }) };
}

/** True where the call of the query was made, or may have been. */
export function isMade(outcome: GuardOutcome | undefined): boolean {
  return outcome !== undefined && ("hop" in outcome || ("called" in outcome && outcome.called));
}

/** The guard's part of a state; `undefined` where a graph was built or entered without it. */
export function guardStateOf(state: unknown): GuardState | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  return (state as { [QUERY_KEY]?: GuardState | null })[QUERY_KEY] ?? undefined;
}

/** The private key alone, as a middleware declares it. */
export function createQuerySchema() {
  const value = z.custom<GuardState>().nullable();
  const field = new ReducedValue(value.default(null), { inputSchema: value, reducer: mergeStates });
  return new StateSchema({ [QUERY_KEY]: field });
}
