import type { Tool } from "../call/tool.ts";
import { createOptionCheck, type OptionTable, oneOf } from "../check-options.ts";
import type { Host } from "../host/host.ts";
import { createGuardGate, type SingleStepOptions } from "./gate.ts";
import { createGuardedQuery, type GuardedQuery, type QueryState } from "./query.ts";

/** The kinds of a guard's options. An invalid list allows nothing: see `SingleStep.problem`. */
export const GUARD_OPTIONS: OptionTable<SingleStepOptions> = {
  allow: "any",
  contract: oneOf("enforce", "off"),
};

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepOptions>(
  "createSingleStep",
  GUARD_OPTIONS,
);

/** A host under guard: each query may make one call, of a tool on the operator's list. */
export interface SingleStep {
  readonly host: Host;
  /** The tools for a planner now. The same array until a list of the host changes. */
  readonly tools: readonly Tool[];
  /** The reason why nothing may be called. Undefined if calls are possible. */
  readonly problem: string | undefined;
  /** Starts a query of a user. With the `state` of an earlier query it continues that one, in any process. */
  startQuery(state?: QueryState): GuardedQuery;
}

/**
 * Puts a host under the single-step guard: one query makes at most one call, whatever the model, the servers or a resumed run ask
 * for. It calls only tools that `allow` names.
 */
export function createSingleStep(host: Host, options: SingleStepOptions = {}): SingleStep {
  checkOptions(options);
  const gate = createGuardGate(host, options);
  return {
    host,
    get tools() {
      return gate.tools;
    },
    problem: gate.problem,
    startQuery: (state) => createGuardedQuery(gate, state),
  };
}
