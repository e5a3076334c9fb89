import type { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { Progress } from "./port.ts";
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
   * The `binding` of the question, if the person has approved the call. An approval makes one call: a second use returns the result
   * of the first (`madeBefore`). `authorize` may still deny the call, and its `"ask"` counts as `"allow"`. The host reads the
   * server's list of tools again first. It refuses the call with `tool-changed` if the definition or the arguments are different,
   * and with `denied` if the `conversation` or the user is, or if the approval has expired. Default: none.
   */
  readonly approved?: string | undefined;
  /**
   * The arguments that the person who approved the call wants to send instead. Needs `approved`. The host checks them in full, and
   * the approval is used up with them. Default: the requested arguments.
   */
  readonly changes?: JsonObject | undefined;
  /** Receives each progress notification. Its `message` has at most 1,000 characters, with control characters escaped. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * The idempotency key: a text that is the same for this call in every worker and attempt, and that no other call has. The call is
   * made once for its key, and all attempts get the same result (`madeBefore`). With another tool or other arguments the key is
   * refused. The store of the host decides: without a `claim`, that holds within this process. A hash of key, tool and arguments is
   * sent to the server as `_meta["toolrail/idempotencyKey"]`. Default: none.
   */
  readonly key?: string | undefined;
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
  /** Receives each finished call of a run before the next one is made. An error of it becomes one warning. Default: none. */
  readonly onHop?: ((hop: Hop) => void | PromiseLike<void>) | undefined;
  /**
   * Decides before each further call of a chain if it may be made. False ends the chain with `depth-limit`. Default: yes.
   */
  readonly allowHop?: () => boolean;
  /** A further policy for this call. It is asked once the arguments are checked, before `authorize`. Default: none. */
  readonly gate?: Gate | undefined;
}

/** The answer of `host.check`. It makes nothing possible: the call is checked again when it is made. */
export type CallVerdict =
  | { readonly type: "allow"; readonly call: ToolCall }
  /** A person must decide. If they approve, make the call with `approved: binding`, which makes it once. */
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
