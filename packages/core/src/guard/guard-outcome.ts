import type { PendingCall } from "../chain/chain-result.ts";
import type { ToolrailError, ToolrailErrorCode } from "../errors.ts";
import type { Hop } from "../result/hop.ts";

/** What became of a guarded call or query. `message` says it to a person. Plain JSON, as far as `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type: a model may read it. */
  | {
      readonly verdict: "allow";
      readonly code: "complete";
      readonly message: string;
      readonly hop: Hop<T>;
      readonly value: T;
      /** The call that the result's `nextTool` asked for. It was reported, and not made. */
      readonly notFollowed?: PendingCall;
    }
  /** The call was made, and what came back has no checked type: raw, for the user, and for no model. */
  | {
      readonly verdict: "allow";
      readonly code: "tool-error" | "untyped-output";
      readonly message: string;
      readonly hop: Hop;
      readonly notFollowed?: PendingCall;
    }
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

/** The outcome of a call that was refused, or that failed when it was sent. */
export function toBlocked({ code, message }: ToolrailError, called = false): GuardOutcome {
  return { verdict: "block", code, message, called };
}

/** The outcome of a call that a person must approve first. */
export function toAsked(pending: PendingCall): GuardOutcome {
  const { server, tool } = pending;
  const message = `${server}.${tool} needs the approval of a person before it is called.`;
  return { verdict: "ask", code: "needs-approval", message, pending };
}
