import type { CallOptions, CheckedCall, Tool, ToolFilter } from "@toolrail/core";
import type { CallListeners, FrameworkCall } from "@toolrail/core/adapter";
import type { ArgumentSource } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import type { SearchDeferral } from "./deferral.ts";
import type { ToolOutput } from "./tool-output.ts";

/** Which tools `createTools` makes, for which conversation and user, and who is told of their calls. */
export interface ToolsOptions extends CallListeners {
  /** Which of the host's tools the model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * Tools that the model finds by a search, as `["crm.*"]` or `{ above: 50 }`. Hops and steps of pipes reach them nevertheless.
   * Put the search tool in your own `tools`: `toolSearch()` of `ai` 7, or that of the provider with `by: "provider"`.
   */
  readonly defer?: ToolFilter | SearchDeferral;
  /**
   * The conversation, or the user: an id that no other has. What is kept of results, and hops that wait, are kept for it
   * alone; beyond `limits.maxConversationBytes` its own oldest go. With it, and a `store` of the host that can claim, processes
   * that go on with the same messages at once make each call once. Default: none, and hops of all runs share one memory.
   */
  readonly conversation?: string | undefined;
  /**
   * Who calls, for `authorize` and the other hooks of the host; no model reads it. Default: what the SDK was told as
   * `experimental_context` (`ai` 6) or for this tool in `toolsContext` (`ai` 7), which also go before it.
   */
  readonly context?: unknown;
  /** The user's own words in this conversation, for policies such as `askUnlessFrom`. Default: none, so that they ask more. */
  readonly userText?: string | readonly string[] | undefined;
  /**
   * The arguments that the person who approved a call wants in place of the model's, which the SDK's approval response has no
   * place for: from the request of your page, by the id of the call. It is asked about approved calls alone, and what it gives
   * is checked in full. Default: no call is changed.
   */
  readonly changes?: ((call: ApprovedCall) => JsonObject | undefined) | undefined;
  /** Told of each call that is left to a person, and why: the SDK's approval request does not say. What it throws is ignored. */
  readonly onAsk?: ((call: AskedCall) => void | PromiseLike<void>) | undefined;
}

/** A call that a person has approved. */
export interface ApprovedCall {
  readonly toolCallId: string;
  readonly tool: Tool;
  /** As the model wrote them. */
  readonly arguments: JsonObject;
}

/** A call that waits for a person. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly tool: Tool;
  /** Why, in plain words for the person, where a policy said so. */
  readonly reason: string | undefined;
  /** Where its arguments came from, as far as that is known. */
  readonly sources: readonly ArgumentSource[];
}

/** A call of a tool that the SDK runs. */
export interface SdkCall extends FrameworkCall {
  readonly request: { readonly tool: Tool; readonly arguments: JsonObject };
  /** The messages that led to the call. */
  readonly messages: readonly unknown[];
  /** See `typed` of `createTools`. */
  readonly isTyped: boolean;
  /** For the host or the guard: who asks, and the signal. */
  readonly options: CallOptions;
}

/** A call that is made now. If a person has approved it, its options say so. */
export interface MadeCall extends SdkCall {
  /** The call as the host or the guard has checked it, if the SDK asked about approval first. */
  readonly checked: CheckedCall | undefined;
  /** Shows the page how far the call has come. */
  tell(output: ToolOutput): void;
}
