import type { JsonObject } from "@toolrail/json";
import type { ErrorRecord } from "../errors.ts";
import type { CallOrigin, Hop } from "./hop.ts";
import type { InputRequest, InputResponses } from "./input-request.ts";
import type { UsedReference } from "./used-reference.ts";

/** Why a chain ended. */
export type ChainEnd =
  /** The last result named no next tool. */
  | "complete"
  /** The next call would have been one more than `limits.maxChainDepth`. */
  | "depth-limit"
  /** The next call was already made in this chain, with the same arguments. */
  | "cycle"
  /** `nextTool` is malformed or contradictory, or a rule cannot make its call: see `error`. */
  | "malformed"
  | "unknown-tool"
  | "invalid-arguments"
  /** Refused by `allow`, by `authorize`, or because the tool is quarantined. */
  | "denied"
  /** `authorize` returned `"ask"`, or the error is `outcome-unknown`: see `pending` and `host.resume`. */
  | "needs-approval"
  /** The server asks the user something: see `pending.inputRequest` and `host.resume`. */
  | "needs-input"
  /** The last result breaks the `outputSchema` of its tool, or its parser rejects it: no model reads it, nothing follows. */
  | "invalid-output"
  /** The call failed: timeout, connection, protocol, or an invalid result. */
  | "failed"
  | "aborted";

/** A call that was decided on but not made. */
export interface PendingCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  /** What was asked for, if a person has approved the call with other arguments. */
  readonly changedFrom?: JsonObject;
  /** Why the arguments that a person wanted instead cannot be sent: the call still waits. */
  readonly problem?: string;
  /** If it waits for a person: what an approval is given for. It makes one call: see `CallOptions.approved`. */
  readonly binding?: string;
  /** If it waits: what the run was begun with, for `host.resume`. */
  readonly key?: string;
  readonly conversation?: string;
  /** Set if its server asks the user something before it continues. */
  readonly inputRequest?: InputRequest;
  /** Why a person is asked, in plain words, if a policy gave a reason. */
  readonly reason?: string;
  /** If a person is asked and the arguments contain addresses of kept results: what these stand for. */
  readonly references?: readonly UsedReference[];
  /** Attempts at this call whose outcome is unknown: an approval makes it once more. */
  readonly lostAttempts?: number;
}

/** A call and all that followed from it. `hops` holds every result that was obtained, in order. */
export interface ChainResult {
  readonly runId: string;
  readonly ended: ChainEnd;
  readonly hops: readonly Hop[];
  /** The call that was not made, if one was known. */
  readonly pending?: PendingCall;
  /** Why the chain ended, unless it is complete: in the process that ran it, the `ToolrailError` itself. */
  readonly error?: ErrorRecord;
}

/**
 * What a person says of a pending call: yes, yes with other arguments, no and why, or the answers to all that
 * `pending.inputRequest` asks. Other arguments are checked in full. Where they do not fit, nothing is sent and the call still
 * waits, with a `problem`.
 */
export type Decision =
  | "approve"
  | { readonly approve: { readonly arguments: JsonObject } }
  | { readonly deny: string }
  | { readonly input: InputResponses };
