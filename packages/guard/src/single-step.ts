import type { CallRequest, Host, Tool, ToolSchemas } from "@toolrail/core";
import { createOptionCheck, engineOf } from "@toolrail/core/adapter";
import type { OptionTable, SchemaValue, TypedCalls } from "@toolrail/core/internal";
import { oneOf } from "@toolrail/core/plugin";
import { createGuardGate } from "./gate.ts";
import { createGuardedQuery } from "./query.ts";
import { openQuery } from "./query-state.ts";
import type {
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryState,
  SingleStepOptions,
} from "./types.ts";

/** The options of a guard, by their kinds. A list that is not valid allows nothing: see `SingleStep.problem`. */
export const GUARD_OPTIONS: OptionTable<SingleStepOptions> = {
  allow: "any",
  contract: oneOf("enforce", "off"),
};

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepOptions>(
  "createSingleStep",
  GUARD_OPTIONS,
);

/** A host under guard: each query may make one call, of a tool on the operator's list. */
export interface SingleStep<Schemas extends ToolSchemas = Record<never, never>> {
  readonly host: Host;
  /** The tools that a planner may be shown now. The same array until a list of the host changes. */
  readonly tools: readonly Tool[];
  /** Says why nothing may be called. Undefined if something may. */
  readonly problem: string | undefined;
  /** Begins a query of a user. With the `state` of an earlier one, that one goes on, in any process. */
  startQuery(state?: QueryState): TypedQuery<Schemas> & GuardedQuery;
}

/** The typed form of `call`, for tools with registered parsers. */
export interface TypedQuery<Schemas extends ToolSchemas> {
  call<Name extends keyof Schemas & string>(
    request: CallRequest<Name>,
    options?: GuardedCallOptions,
  ): Promise<GuardOutcome<SchemaValue<Schemas[Name]>>>;
}

/**
 * Puts a host under the single-step guard: one query makes one call at most, whatever the model, the
 * servers or a resumed run ask for. Nothing may be called that `allow` does not name.
 */
export function createSingleStep<Schemas extends ToolSchemas = Record<never, never>>(
  host: Host & Pick<TypedCalls<Schemas>, "~schemas">,
  options: SingleStepOptions = {},
): SingleStep<Schemas> {
  checkOptions(options);
  const { newId } = engineOf(host);
  const gate = createGuardGate(host, options);
  return {
    host,
    get tools() {
      return gate.tools;
    },
    problem: gate.problem,
    startQuery: (state = openQuery(newId())) =>
      createGuardedQuery(gate, state) as TypedQuery<Schemas> & GuardedQuery,
  };
}
