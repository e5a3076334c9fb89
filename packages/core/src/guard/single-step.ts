import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { Host, TypedCalls } from "../host/create-host.ts";
import type { ToolSchemas } from "../host/host-options.ts";
import type { HostTool } from "../host/tool.ts";
import {
  admitPlanned,
  type GuardRules,
  type PlannedVerdict,
  plannerTools,
} from "./admit-planned.ts";
import { type Allowlist, parseAllowlist } from "./allowlist.ts";
import type { GuardOutcome } from "./guard-outcome.ts";
import { addPipes, type GuardedPipes } from "./guarded-pipes.ts";
import { createGuardedQuery, type GuardedQuery } from "./guarded-query.ts";
import type { QueryState } from "./query-state.ts";
import { createQueryStore, type QueryStore } from "./query-store.ts";

export interface SingleStepOptions {
  /** Tools that may be called, and which of them after approval. Missing or broken: none. May be JSON text. */
  readonly allow?: Allowlist | string;
  /** Pipes that the operator wrote, each offered as one tool. A model's own pipe is never run. */
  readonly pipes?: GuardedPipes;
  /** Remembers who has had a call. Default: the memory of this process. */
  readonly store?: QueryStore;
  /** Whether a server's list is read again right before the call. Default true. */
  readonly relist?: boolean;
  /** Calls that may be refused before the query is over. Default 3. */
  readonly maxRefusals?: number;
  /** Ids for queries. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** A host under guard: each query may make one call, of a tool on the operator's list. */
export interface SingleStep {
  /** The host, with the pipes among its tools. */
  readonly host: Host;
  /** The tools that a planner may be shown now: listed by a server, allowed, and open to models. */
  readonly tools: readonly HostTool[];
  /** Why nothing may be called, if that is so. */
  readonly problem?: string;
  /** Calls that may be refused before a query is over. */
  readonly maxRefusals: number;
  /** What the guard would say to a call. Nothing is called or counted. */
  admit(request: CallRequest, options?: CallOptions): Promise<PlannedVerdict>;
  /**
   * Opens the gate for one query of a user. With the `state` of an earlier query that one goes on, in
   * this process or another; keep the state where nobody can alter it.
   */
  startQuery(state?: QueryState): GuardedQuery;
}

/** The typed face of a single step over a host with parsers. */
export interface TypedSingleStep<Schemas extends ToolSchemas> {
  startQuery(state?: QueryState): TypedQuery<Schemas> & GuardedQuery;
}

/** The typed face of `call` where parsers are registered. */
export interface TypedQuery<Schemas extends ToolSchemas> {
  call<Name extends keyof Schemas & string>(
    request: CallRequest<Name>,
    options?: CallOptions,
  ): Promise<GuardOutcome<StandardSchemaV1.InferOutput<Schemas[Name]>>>;
}

/**
 * Puts a host under the single-step guard: one query, one call at most, whatever the model, the servers
 * or a resume may want. Nothing is allowed that `allow` does not name.
 */
export function createSingleStep<Schemas extends ToolSchemas = Record<never, never>>(
  plain: Host & Pick<TypedCalls<Schemas>, "~schemas">,
  options: SingleStepOptions = {},
): TypedSingleStep<Schemas> & SingleStep {
  const host = options.pipes ? addPipes(plain, options.pipes) : plain;
  const allowlist = parseAllowlist(options.allow);
  const rules: GuardRules = { host, allowlist };
  const {
    store = createQueryStore(),
    relist = true,
    maxRefusals = 3,
    newId = () => crypto.randomUUID(),
  } = options;
  const guard: SingleStep = {
    host,
    get tools() {
      return plannerTools(rules);
    },
    ...(allowlist.problem !== undefined && { problem: allowlist.problem }),
    maxRefusals,
    admit: (request, callOptions) => admitPlanned(rules, request, callOptions),
    startQuery: (state) =>
      createGuardedQuery(
        { rules, store, relist, maxRefusals },
        state ?? { id: newId(), phase: "open", refusals: 0 },
      ),
  };
  return guard as TypedSingleStep<Schemas> & SingleStep;
}

const OPTIONS = ["allow", "pipes", "store", "relist", "maxRefusals", "newId"] as const;

/**
 * A single step, or one over a host, for those who take either. Throws `invalid-options` for an option
 * that would have no effect, since the single step has its own.
 */
export function toSingleStep(target: Host | SingleStep, options: SingleStepOptions): SingleStep {
  if (!("admit" in target)) return createSingleStep(target, options);
  const idle = OPTIONS.find((name) => options[name] !== undefined);
  if (idle === undefined) return target;
  const message = `${idle} would have no effect: pass it to createSingleStep, or pass the host and not a single step.`;
  throw new ToolrailError("invalid-options", message);
}
