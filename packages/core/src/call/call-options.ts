import { createOptionCheck } from "../check-options.ts";
import { invalidOptions, type ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { CallOrigin, ChainResult, Hop, UsedReference } from "../result/hop.ts";
import type { InputForm, InputPage } from "./input-requests.ts";
import type { Progress } from "./port.ts";
import type { Tool, ToolName } from "./tool.ts";

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
  readonly onProgress?: ((progress: Progress) => void) | undefined;
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
  /** A shorter time limit for this call or run, in milliseconds. Default: the limits of the host. */
  readonly timeoutMs?: number;
  /** False makes this one call alone, even if its result has a `nextTool`. Default true. */
  readonly follow?: boolean;
  /** Receives each finished call of a run before the next one is made. An error of it becomes one warning. Default: none. */
  readonly onHop?: ((hop: Hop) => void | PromiseLike<void>) | undefined;
}

/** What an adapter may pass to the functions of a host in addition. */
export interface AdapterCallOptions extends CallOptions {
  /** The id of the run that this call joins. Default: a new run. */
  readonly runId?: string;
  /** Is told when the request goes out. Default: none. */
  readonly onSend?: () => void;
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

/** A call on its way to a server, as policies and plugins see it. */
export interface ToolCall {
  readonly callId: string;
  readonly runId: string;
  readonly tool: Tool;
  /** The arguments to send, with resolved addresses. */
  readonly arguments: JsonObject;
  /** The arguments with addresses of kept results, as the model wrote them. Absent if they contain none. */
  readonly written?: JsonObject;
  /** The arguments before the person who approved the call changed them. Absent if nothing was changed. */
  readonly changedFrom?: JsonObject;
  /** The values that replaced addresses, with their sources. Absent if there were none. */
  readonly references?: readonly UsedReference[];
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
  /** The conversation of the call: see `CallOptions`. Absent if the application gave none. */
  readonly conversation?: string | undefined;
  /** The caller: see `CallOptions`. */
  readonly context?: unknown;
}

/**
 * A policy's answer to a call: allow it, leave it to a person (`{ ask }` gives them the reason), or deny it with a reason.
 */
export type Authorization = "allow" | "ask" | { readonly ask: string } | { readonly deny: string };

/** A rule of the operator on calls. */
export type Policy = (call: ToolCall) => Authorization | PromiseLike<Authorization>;

/** The request for which `requestMeta` and `requestHeaders` are called: a server's tool list, or one call. */
export type MetaRequest =
  | { readonly method: "tools/list"; readonly server: string }
  | ({ readonly method: "tools/call"; readonly server: string } & ToolCall);

/** A form that a server asks the user to fill in, or a page for the user to visit, for `onInputRequest`. */
export type ReceivedInput = (InputForm | InputPage) & {
  readonly server: string;
  /** The call that asks. Absent before MCP 2026-07-28, since older servers do not name it. */
  readonly call?: ToolCall;
  /** The reason why the previous answer was not accepted. */
  readonly problem?: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
};

const ASKERS: readonly CallOrigin["by"][] = ["application", "model", "chain", "pipe"];

/** Throws `invalid-options` for options of a call that do not exist or are of the wrong kind. */
export const checkCallOptions = /* @__PURE__ */ createOptionCheck<AdapterCallOptions>("host.call", {
  signal: "signal",
  origin: {
    words: `an object whose \`by\` is ${ASKERS.join(", ")}`,
    test: (origin) => ASKERS.includes(Object(origin).by),
  },
  approved: "text",
  changes: "object",
  onProgress: "function",
  key: "id",
  conversation: "id",
  context: "any",
  runId: "text",
  timeoutMs: "number",
  follow: "boolean",
  onHop: "function",
  onSend: "function",
  gate: "function",
});

const checkMembers = /* @__PURE__ */ createOptionCheck<CallRequest>("host.call", {
  tool: ["text", "object"],
  arguments: "any", // The model corrects wrong arguments: see `invalid-arguments`.
});

interface Asked {
  readonly request: CallRequest;
  readonly options: CallOptions | undefined;
}

/** Throws `invalid-options` for anything except a call in the form that `owner` takes, such as `host.call`. */
export function checkRequest(owner: string, { request, options }: Asked): void {
  checkMembers(request, owner);
  if (request?.tool === undefined) {
    throw invalidOptions(
      `${owner} takes a call, such as { tool: "server.tool", arguments: {} }, and then options.`,
    );
  }
  checkCallOptions(options, owner);
}

/** A finished call, and the model's tool call that it belongs to. */
export interface HopResult {
  /** The id of the model's tool call. `undefined` if the tool was run without one. */
  readonly toolCallId: string | undefined;
  /** The finished call with its raw result, for `userView` and for widgets in its `_meta`. */
  readonly hop: Hop;
}

/** A tool call of the model and the whole chain that followed from it. */
export interface ToolCallResult extends Pick<HopResult, "toolCallId"> {
  readonly tool: Tool;
  /** The chain with the raw result of each hop, for `userView`, and for `host.resume` if a hop needs approval. */
  readonly chain: ChainResult;
}

/**
 * Listeners that receive calls before a model reads the results. Each is awaited for at most five minutes. An error of
 * one becomes one warning, since the call was already made.
 */
export interface CallListeners {
  /** Receives each finished call, and again with `madeBefore` when its approval or its key is used again. */
  readonly onHop?: (result: HopResult) => void | PromiseLike<void>;
  /** Receives each tool call of the model, once its chain has ended. */
  readonly onResult?: (result: ToolCallResult) => void | PromiseLike<void>;
}

/** The option of an adapter whose framework cannot pass on the arguments that a person wants. */
export interface ChangeOptions {
  /**
   * Returns the arguments that the person who approved a call wants instead of the model's, for example from the request of
   * your page. The framework's approval cannot contain them. It is asked about approved calls only, and the host checks its
   * arguments in full. Default: no call is changed.
   */
  readonly changes?: ((call: ApprovedCall) => JsonObject | undefined) | undefined;
}

/** A call that a person has approved, with the arguments as the model wrote them. */
interface ApprovedCall extends Pick<ToolCall, "tool" | "arguments"> {
  readonly toolCallId: string;
}
