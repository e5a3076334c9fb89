import type { JsonObject } from "@toolrail/json";
import type { ToolrailError } from "../errors.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { InputResponses } from "../result/input-request.ts";
import type { Progress, ToolCallRequest } from "./port.ts";
import type { ToolName } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";

/** A request for a call: the tool and its arguments. Default of `arguments`: `{}`. */
export interface CallRequest<Name extends ToolName = ToolName> {
  readonly tool: Name;
  readonly arguments?: JsonObject;
}

/** The options of one call, or of a run. All are optional. */
export interface CallOptions {
  /** Cancels the call. The server gets a notification of it if its client can send one. */
  readonly signal?: AbortSignal | undefined;
  /** The origin of the call: the application, a model, a chain or a pipe. Default: the application. */
  readonly origin?: CallOrigin;
  /**
   * The `binding` of the approval request, if the person has approved the call. An approval makes one call: a second use
   * returns the result of the first (`madeBefore`). `authorize` may still deny the call, and its `"ask"` counts as
   * `"allow"`. The host reads the server's list of tools again first. It refuses the call with `tool-changed` if the
   * definition or the arguments are different, and with `denied` if the `conversation` or the user is. Default: none.
   */
  readonly approved?: string | undefined;
  /**
   * The arguments that the person who approved the call wants to send instead. Needs `approved`. The host checks them in
   * full, and the approval is used up with them. Default: the requested arguments.
   */
  readonly changes?: JsonObject | undefined;
  /**
   * The arguments that were requested before the person who approved the call changed them. `approved` is then bound to both
   * versions: `host.resume` sets this. Default: the person changed nothing.
   */
  readonly changedFrom?: JsonObject | undefined;
  /** Receives each progress notification. Its `message` has at most 1,000 characters, with control characters escaped. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * The idempotency key: a text that is the same for this call in every worker and attempt, and that no other call has. If
   * the host's `store` has `claim`, the call is made once for its key, and all attempts get the same result. Read-only tools
   * are the exception. A hash of key, tool and arguments is sent to the server as `_meta["toolrail/idempotencyKey"]`.
   * Default: none.
   */
  readonly key?: string | undefined;
  /**
   * The answers to the input request with which this call ended, and the id of that request. The call is sent again with
   * them. If an answer does not fit its form, nothing is sent and the call ends with an input request again. Default: none.
   */
  readonly answers?: { readonly inputRequest: string; readonly input: InputResponses } | undefined;
  /** The number of attempts with an unknown outcome after which the person wants another attempt. Default 0. */
  readonly lostAttempts?: number | undefined;
  /**
   * The conversation or the user that the call belongs to, by a unique id. Results that the host keeps can be read in this
   * conversation alone. Default: none, so no results are kept.
   */
  readonly conversation?: string | undefined;
  /**
   * The caller, in a form that the application chooses. Policies and plugins receive it for this call and all calls that
   * follow from it. It is never stored, and no model and no server sees it. Default: `undefined`.
   */
  readonly context?: unknown;
  /** The id of the run that this call joins. Default: a new run. */
  readonly runId?: string;
  /** A shorter time limit for this call or run, in milliseconds. Default: the limits of the host. */
  readonly timeoutMs?: number;
  /** False makes this one call alone, even if its result has a `nextTool`. Default true. */
  readonly follow?: boolean;
  /** Receives each finished call of a run before the next one is made. Its errors are ignored. Default: none. */
  readonly onHop?: ((hop: Hop) => void | PromiseLike<void>) | undefined;
  /**
   * Decides before each further call of a chain if it may be made. False ends the chain with `depth-limit`. Default: yes.
   */
  readonly allowHop?: () => boolean;
  /** A further policy for this call. It is asked once the arguments are checked, before `authorize`. Default: none. */
  readonly gate?: Gate | undefined;
}

/**
 * The answer of `host.check`. Pass it to `host.call` or `host.run` in place of the request: they make exactly
 * this call, once, for the same user, without checking it or asking `authorize` again.
 */
export type CheckedCall =
  | { readonly type: "allow"; readonly call: ToolCall }
  /** A person must decide. If they approve, pass the request again with `approved: binding`, which makes one call. */
  | {
      readonly type: "ask";
      readonly call: ToolCall;
      readonly binding: string;
      /** The reason, in plain words for the person. Absent if no policy gave one. */
      readonly reason?: string;
    }
  /** The call is refused. An attempt to make it fails with `error`. */
  | { readonly type: "refuse"; readonly error: ToolrailError };

/** The answer of a gate: `"ask"` leaves the call to a person, and an error refuses it. */
export type GateVerdict = "allow" | "ask" | ToolrailError;

/** A policy of the caller, in addition to `authorize`. */
export type Gate = (call: ToolCall) => GateVerdict | PromiseLike<GateVerdict>;

/** The call that one approval makes. */
export interface Approval {
  /** The id of the call. All uses of the same approval, and all attempts with the same key, make this one call. */
  readonly slot: string;
  /** The number of attempts with an unknown outcome that the person knew of. */
  readonly lostAttempts?: number | undefined;
  /** The time after which it no longer counts: the store then may have forgotten that the call was made. */
  readonly expiresAtMs: number;
  /** The text that the person's approval is bound to: see `toBinding`. */
  readonly binding: string;
}

/** A server's answer to a call, with its times. Plain JSON. */
export type Answer = Pick<Hop, "callId" | "result" | "startedAtMs" | "durationMs">;

/** The additions to a call that is sent again with the answers to its server's input request. */
export interface Reply {
  readonly more: Pick<ToolCallRequest, "inputResponses" | "requestState">;
  /** The number of input requests of this call that were answered before. */
  readonly round: number;
}
