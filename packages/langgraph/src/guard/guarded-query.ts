import { type LangGraphRunnableConfig, ReducedValue, StateSchema } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { throwAborted } from "@toolrail/core/adapter";
import type {
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryPhase,
  QueryState,
  SingleStep,
} from "@toolrail/core/guard";
import { z } from "zod";
import { decidePending } from "../tools/ask-person.ts";

export interface GuardState {
  readonly query: QueryState;
  readonly last?: {
    /** The id of the answer's message. Ids of tool calls are not unique, since models repeat them. */
    readonly messageId: string;
    /** True if the call was made, or may have been made. */
    readonly made: boolean;
    /** The code of the outcome. The whole outcome is in the artifact of the message. */
    readonly code: string;
  };
}

/** The private key of this state. No input of a graph has it. */
export const QUERY_KEY = "_toolrailQuery";

const PHASES = { open: 0, pending: 1, spent: 2 };

/** Prefers, of two tasks in one step, the one that made the call. A new query replaces the old one. */
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

/** Reads the guard's part of a state. Returns `undefined` if a graph was built or entered without it. */
export function readGuardState(state: unknown): GuardState | undefined {
  return (state as { readonly [QUERY_KEY]?: GuardState | null } | null)?.[QUERY_KEY] ?? undefined;
}

export function createQuerySchema() {
  const value = z.custom<GuardState>().nullable();
  const field = new ReducedValue(value.default(null), { inputSchema: value, reducer: mergeStates });
  return new StateSchema({ [QUERY_KEY]: field });
}

interface Finishing {
  readonly host: Host;
  readonly guard: SingleStep;
  readonly query: GuardedQuery;
  readonly options: GuardedCallOptions;
  readonly config: LangGraphRunnableConfig;
}

/** Returns the outcome of a guarded call, and its query. An interrupt asks a person if the call needs one. */
export async function finishCall(
  outcome: GuardOutcome,
  { host, guard, query, options, config }: Finishing,
): Promise<{ readonly outcome: GuardOutcome; readonly query: GuardedQuery }> {
  let [settled, current] = [outcome, query];
  while (settled.verdict === "ask") {
    const { pending } = settled;
    const before = await current.toState();
    const { asked, decision } = await decidePending(host, { pending, asked: before, config });
    current = guard.startQuery(asked);
    settled = await current.resume(decision, options);
  }
  throwAborted(settled.code, options.signal);
  return { outcome: settled, query: current };
}
