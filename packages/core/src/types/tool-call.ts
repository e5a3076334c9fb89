import type { JsonObject } from "../json/json.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { InputForm, InputPage } from "../result/input-request.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { Tool } from "./tool.ts";

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
