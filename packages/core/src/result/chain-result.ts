import type { ErrorRecord } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { CallOrigin, Hop } from "./hop.ts";
import type { UsedReference } from "./used-reference.ts";

/** The way in which a chain ended. */
export type ChainEnd =
  /** The last result named no next tool. */
  | "complete"
  /** One more call would exceed `limits.maxChainDepth`. */
  | "depth-limit"
  /** The next call was already made in this chain, with the same arguments. */
  | "cycle"
  /** `nextTool` is malformed or contradictory, or a rule cannot make its call: see `error`. */
  | "malformed"
  | "unknown-tool"
  | "invalid-arguments"
  /** Refused by `allow`, by `authorize`, or because the tool is quarantined. */
  | "denied"
  /** `authorize` returned `"ask"`: see `pending` and `host.resume`. */
  | "needs-approval"
  /** The last result breaks the `outputSchema` of its tool, or its parser rejects it. No model reads it. Nothing follows. */
  | "invalid-output"
  /** The call failed: timeout, connection, protocol, or an invalid result. */
  | "failed"
  | "aborted";

/** A call that is known but was not made. */
export interface PendingCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  /** The reason why a person's other arguments cannot be sent. The call still waits. */
  readonly problem?: string;
  /** The description of the question, if the call waits for a person: see `CallOptions.approved`. */
  readonly binding?: string;
  /** The options of the run for `host.resume`, if the call waits. */
  readonly key?: string;
  readonly conversation?: string;
  /** The reason for asking a person, in plain words. Absent if no policy gave one. */
  readonly reason?: string;
  /** The values of the addresses in the arguments, if a person is asked and there are any. */
  readonly references?: readonly UsedReference[];
}

/** A call and all calls that followed from it. `hops` holds the finished ones, in order. */
export interface ChainResult {
  readonly runId: string;
  readonly ended: ChainEnd;
  readonly hops: readonly Hop[];
  /** The call that was not made, if one was known. */
  readonly pending?: PendingCall;
  /** The error that ended the chain, unless it is complete. In the process of the run it is the `ToolrailError` itself. */
  readonly error?: ErrorRecord;
}

/**
 * A person's decision on a pending call: approve it, approve it with other arguments, or deny it with a reason. Other arguments are checked in full. If they are invalid, nothing is sent and the call still
 * waits, with a `problem`.
 */
export type Decision =
  | "approve"
  | { readonly approve: { readonly arguments: JsonObject } }
  | { readonly deny: string };
