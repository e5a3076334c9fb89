import { ReducedValue, StateSchema } from "@langchain/langgraph";
import type { QueryPhase, QueryState } from "@toolrail/guard";
import { z } from "zod";

/** Where the query of a run stands, and which answer to a tool call counts. */
export interface GuardState {
  readonly query: QueryState;
  readonly last?: {
    /** Models repeat the ids of tool calls, so this is that of the message. */
    readonly messageId: string;
    /** The call was made, or may have been. */
    readonly made: boolean;
    /** Of the outcome, which stands whole in the artifact of the message. */
    readonly code: string;
  };
}

/** The state key that holds it. It is private: no input of a graph has it. */
export const QUERY_KEY = "_toolrailQuery";

const PHASES = { open: 0, pending: 1, spent: 2 };

/** Of two tasks in one step the one that made the call counts; a new query takes the old one's place. */
function mergeStates(current: GuardState | null, update: GuardState | null): GuardState | null {
  if (!current || !update || current.query.id !== update.query.id) return update;
  const phase = laterPhase(current.query.phase, update.query.phase);
  const { last: before, query } = current;
  const isKept = before && (before.made || update.last?.code === "step-used");
  const last = isKept ? before : (update.last ?? before);
  return { query: { ...query, phase }, ...(last && { last }) };
}

function laterPhase(a: QueryPhase, b: QueryPhase): QueryPhase {
  if (PHASES[a.type] !== PHASES[b.type]) return PHASES[a.type] > PHASES[b.type] ? a : b;
  return a.type !== "spent" && b.type !== "spent" && a.refusals > b.refusals ? a : b;
}

/** The guard's part of a state; `undefined` where a graph was built or entered without it. */
export function guardStateOf(state: unknown): GuardState | undefined {
  return (state as { readonly [QUERY_KEY]?: GuardState | null } | null)?.[QUERY_KEY] ?? undefined;
}

/** The private key alone, as a middleware declares it. */
export function createQuerySchema() {
  const value = z.custom<GuardState>().nullable();
  const field = new ReducedValue(value.default(null), { inputSchema: value, reducer: mergeStates });
  return new StateSchema({ [QUERY_KEY]: field });
}
