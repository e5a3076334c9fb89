import type { ToolrailErrorCode } from "../errors.ts";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { CallOptions, CallRequest, CallVerdict } from "../types/call-options.ts";
import type { Allowlist } from "./allowlist.ts";
import type { Plan } from "./plan.ts";

/** The options of a guard. */
export interface SingleStepOptions {
  /** The tools that may be called, and those that need approval. Default, and if invalid: none. */
  readonly allow?: Allowlist | undefined;
  /**
   * `"enforce"` calls only tools whose output can be checked, by an output schema or by a parser in the host's `schemas`. For the
   * rest of the contract see `contract`. Default `"enforce"`.
   */
  readonly contract?: "enforce" | "off" | undefined;
}

/** The phase of a query. `refusals` counts the calls that were refused so far. */
export type QueryPhase =
  /** No call was made yet. */
  | { readonly type: "open"; readonly refusals: number }
  /** A call waits for a person. */
  | { readonly type: "pending"; readonly refusals: number; readonly call: PendingCall }
  /** No further call will be made. */
  | { readonly type: "spent" };

/** A query in the form to store during a pause. Plain JSON. */
export interface QueryState {
  readonly id: string;
  readonly phase: QueryPhase;
  /** The tools at the start of the query: SHA-256 hashes of their definitions, by `server.tool`. */
  readonly tools?: { readonly [tool: string]: string };
  /**
   * The end of the query, in milliseconds since the epoch, however often it is stored. Its call is remembered for that long at
   * least. Absent if the query is new.
   */
  readonly expiresAtMs?: number;
}

/** The options of a guarded call, as in `host.call`. By default the `origin` is a model. */
export type GuardedCallOptions = Omit<
  CallOptions,
  "key" | "runId" | "follow" | "allowHop" | "gate"
>;

/** One query of a user, which may make one call. */
export interface GuardedQuery {
  readonly id: string;
  /** The current phase. It is `spent` while a call is running. */
  readonly phase: QueryPhase;
  /**
   * Checks a call by the rules of the guard and of the host, without making or counting it. Rejects only with `invalid-options`,
   * for unknown options.
   */
  check(request: CallRequest, options?: GuardedCallOptions): Promise<CallVerdict>;
  /**
   * Makes the call of this query, or returns the refusal. Of several calls at once, one is considered. Rejects as `check` does.
   */
  call(request: CallRequest, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Carries out a plan. Rejects as `check` does. */
  run(plan: Plan, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Makes or drops the call that waits for approval. Rejects as `check` does. */
  resume(decision: Decision, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Returns the query as JSON, for `startQuery` after a pause. Store it safe from changes by others. */
  toState(): Promise<QueryState>;
}

interface MadeCall<T> {
  readonly verdict: "allow";
  readonly message: string;
  readonly hop: Hop<T>;
  /** The call that `nextTool` of the result asked for. It was reported but not made. */
  readonly notFollowed?: PendingCall;
}

/** The outcome of a guarded call or query. `message` is for a person. Plain JSON if `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type, so that a model may read it. */
  | (MadeCall<T> & { readonly code: "complete"; readonly value: T })
  /** The call was made, but its result has no checked type. It is for the user, and no model may read it. */
  | (MadeCall<unknown> & { readonly code: "tool-error" | "untyped-output" })
  /** The planner needs more information. No call was made. */
  | { readonly verdict: "allow"; readonly code: "needs-more-info"; readonly message: string }
  /** A person must approve the call: see `resume`. */
  | {
      readonly verdict: "ask";
      readonly code: "needs-approval";
      readonly message: string;
      readonly pending: PendingCall;
    }
  /** The call was refused, or it failed. */
  | {
      readonly verdict: "block";
      readonly code: ToolrailErrorCode;
      readonly message: string;
      /** True if the call was sent, or may have been. */
      readonly called: boolean;
    };
