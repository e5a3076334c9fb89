import type {
  CallOptions,
  CallRequest,
  CheckedCall,
  Decision,
  Hop,
  PendingCall,
  ToolrailErrorCode,
} from "@toolrail/core";
import type { Allowlist } from "./allowlist.ts";
import type { Plan } from "./plan.ts";

/** The calls that a guard lets through. */
export interface SingleStepOptions {
  /** Tools that may be called, and which of them after approval. Missing or invalid: none. */
  readonly allow?: Allowlist | undefined;
  /**
   * `"enforce"` (the default) calls no tool whose output cannot be checked: it needs an output schema, or a
   * parser in the host's `schemas`. For the rest of the contract see `contract`.
   */
  readonly contract?: "enforce" | "off" | undefined;
}

/** The phase of a query. `refusals` counts the calls that were refused so far. */
export type QueryPhase =
  /** No call was made yet. */
  | { readonly type: "open"; readonly refusals: number }
  /** A call waits for a person. */
  | { readonly type: "pending"; readonly refusals: number; readonly call: PendingCall }
  /** No call will be made any more. */
  | { readonly type: "spent" };

/** A query as it is kept over a pause. Plain JSON. */
export interface QueryState {
  readonly id: string;
  readonly phase: QueryPhase;
  /** The tools as they were when the query began: SHA-256 of their definitions, by `server.tool`. */
  readonly tools?: { readonly [tool: string]: string };
}

/** Options of a guarded call, as `host.call` has them. `origin` is a model by default. */
export type GuardedCallOptions = Omit<
  CallOptions,
  "key" | "answers" | "sources" | "runId" | "follow" | "allowHop" | "gate"
>;

/** What a person says of a call that waits for approval. */
export type Approval = Exclude<Decision, { readonly input: unknown }>;

/** One query of a user, which may make one call. */
export interface GuardedQuery {
  readonly id: string;
  /** The current phase. It is `spent` while a call is running. */
  readonly phase: QueryPhase;
  /**
   * Checks a call by the rules of the guard and of the host, without making or counting it. Pass the answer to `call` in place
   * of the request: it makes this very call, and nothing is asked again. Rejects only with `invalid-options`, for options
   * that do not exist.
   */
  check(request: CallRequest, options?: GuardedCallOptions): Promise<CheckedCall>;
  /** Makes the call of this query, or says why not. Of several at once, one is considered. Rejects as `check` does. */
  call(request: CallRequest | CheckedCall, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Carries out a plan. Rejects as `check` does. */
  run(plan: Plan, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Makes or drops the call that waits for approval. Rejects as `check` does. */
  resume(decision: Approval, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** The query as JSON, for `startQuery` after a pause. Keep it where nobody can alter it. */
  toState(): Promise<QueryState>;
}

interface MadeCall<T> {
  readonly verdict: "allow";
  readonly message: string;
  readonly hop: Hop<T>;
  /** The call that the result's `nextTool` asked for. It was reported, and not made. */
  readonly notFollowed?: PendingCall;
}

/** The outcome of a guarded call or query; `message` is for a person. Plain JSON, if `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type: a model may read it. */
  | (MadeCall<T> & { readonly code: "complete"; readonly value: T })
  /** The call was made, and its result has no checked type: it is for the user, and no model may read it. */
  | (MadeCall<unknown> & { readonly code: "tool-error" | "untyped-output" })
  /** The planner needs to know more; no call was made. */
  | { readonly verdict: "allow"; readonly code: "needs-more-info"; readonly message: string }
  /** A person must approve the call: see `resume`. */
  | {
      readonly verdict: "ask";
      readonly code: "needs-approval";
      readonly message: string;
      readonly pending: PendingCall;
    }
  /** Refused before the call, or the call failed. */
  | {
      readonly verdict: "block";
      readonly code: ToolrailErrorCode;
      readonly message: string;
      /** The call was sent, or may have been. */
      readonly called: boolean;
    };
