import type { JsonObject } from "@toolrail/json";
import type { ToolrailError } from "../errors.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { InputResponses } from "../result/input-request.ts";
import type { Progress, ToolCallRequest } from "./port.ts";
import type { ToolName } from "./tool.ts";
import type { ArgumentSource, ToolCall } from "./tool-call.ts";

/** A call as it is asked for: the tool, and its arguments (default: none). */
export interface CallRequest<Name extends ToolName = ToolName> {
  readonly tool: Name;
  readonly arguments?: JsonObject;
}

/** How a call is made, for whom, and within which bounds. */
export interface CallOptions {
  /** Cancels the call; the server is told where its client can tell it. */
  readonly signal?: AbortSignal | undefined;
  /** Who asks. Default: the application. */
  readonly origin?: CallOrigin;
  /**
   * The `binding` that was given when a person was asked, if they have said yes. It makes one call: who uses it again gets
   * that call (`madeBefore`). `authorize` may still deny, and its `"ask"` counts as `"allow"`. The tool's list is read again
   * first: with another definition or other arguments the call is refused with `tool-changed`, and in another `conversation` or for
   * another user with `denied`.
   */
  readonly approved?: string | undefined;
  /**
   * The arguments that the person who approved the call wants in place of its own: with `approved`. They are checked in full, and
   * the approval is spent with them. Default: they have changed nothing.
   */
  readonly changes?: JsonObject | undefined;
  /**
   * What the arguments were before the person who approved the call changed them: `approved` is bound to both, as `host.resume`
   * makes it. Default: they have changed nothing.
   */
  readonly changedFrom?: JsonObject | undefined;
  /** Called with each progress that the server reports; of its `message`, the first 1,000 characters, control characters escaped. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * The same text for this call in every worker and attempt, and for no other call. Where the host's `store` can `claim`,
   * the call is made once for its key, unless the tool is read-only, and all get its result; a hash of key, tool
   * and arguments goes to the server as `_meta["toolrail/idempotencyKey"]`. Default: none.
   */
  readonly key?: string | undefined;
  /**
   * Answers to the question that this call ended with, by its id. The call goes out once more with them; where one does
   * not fit its form, nothing is sent and the call asks anew.
   */
  readonly answers?: { readonly inputRequest: string; readonly input: InputResponses } | undefined;
  /** Attempts of unknown outcome after which a person wants the call made again. Default 0. */
  readonly lostAttempts?: number | undefined;
  /**
   * The conversation, or the user, that the call belongs to: an id that no other has. What is kept of results is kept for
   * it, and for no other to read. Default: none.
   */
  readonly conversation?: string | undefined;
  /**
   * Who calls, as the application knows it: `authorize`, `intercept`, `requestMeta`, `requestHeaders` and rules are given it
   * for this call and all that follow from it. It is never kept, and no model and no server sees it. Default: nothing.
   */
  readonly context?: unknown;
  /**
   * The user's own words in this conversation, stated by the application: what messages say may come from elsewhere. Policies
   * that let the user's own values pass know them by this. Default: none, so that they ask more.
   */
  readonly userText?: string | readonly string[] | undefined;
  /** Where arguments came from, as far as whoever makes the call knows it exactly. Default: nothing. */
  readonly sources?: readonly ArgumentSource[] | undefined;
  /** Joins this call to a run. Default: a run of its own. */
  readonly runId?: string;
  /** Shortens the time limits of this call, in milliseconds. Default: those of the host. */
  readonly timeoutMs?: number;
  /** False makes this one call: a `nextTool` in its result is not followed. Default true. */
  readonly follow?: boolean;
  /** Of a run: told of each call when it is made, and waited for before the next. What it throws is ignored. Default: nobody. */
  readonly onHop?: ((hop: Hop) => void | PromiseLike<void>) | undefined;
  /** Asked before each further call of a chain; false ends it with `depth-limit`. Default: none is refused. */
  readonly allowHop?: () => boolean;
  /** A rule of the caller's own, asked when the arguments are checked and before `authorize` is. */
  readonly gate?: Gate | undefined;
}

/**
 * The answer of `host.check`. `host.call`, `host.run` and `host.stream` take it in place of the request: they make this
 * very call, once, and neither check it again nor ask `authorize` again.
 */
export type CheckedCall =
  | { readonly type: "allow"; readonly call: ToolCall }
  /** A person decides: if they say yes, pass the request again with `approved: binding`. It makes one call. */
  | {
      readonly type: "ask";
      readonly call: ToolCall;
      readonly binding: string;
      /** Why, in plain words for the person. Absent if no policy gave a reason. */
      readonly reason?: string;
    }
  /** The call is refused: whoever makes it gets `error`. */
  | { readonly type: "refuse"; readonly error: ToolrailError };

/** What a gate says of a call: `"ask"` leaves it to a person, an error refuses it. */
export type GateVerdict = "allow" | "ask" | ToolrailError;

/** A rule beside `authorize`. */
export type Gate = (call: ToolCall) => GateVerdict | PromiseLike<GateVerdict>;

/** The call that one approval makes. */
export interface Approval {
  /** Names the call: whoever uses the same approval, or comes with the same key, makes one call. */
  readonly slot: string;
  /** Attempts of unknown outcome that the person knew of. */
  readonly lostAttempts?: number | undefined;
  /** The text that the person's approval is bound to: see `toBinding`. */
  readonly binding: string;
}

/** A server's answer to a call, with its times. Plain JSON. */
export type Answer = Pick<Hop, "callId" | "result" | "startedAtMs" | "durationMs">;

/** What goes with a call that is made again with the answers to its server's question. */
export interface Reply extends Pick<CallOptions, "approved" | "lostAttempts"> {
  readonly key: string | undefined;
  readonly more: Pick<ToolCallRequest, "inputResponses" | "requestState">;
  /** How often this call has asked, and been answered. */
  readonly round: number;
}
