import type { CallOptions, Tool, ToolCall, ToolFilter } from "@toolrail/core";
import type { CallListeners, ChangeOptions, OptionTable } from "@toolrail/core/adapter";
import type { SdkApproval } from "./approvals.ts";
import type { ToolOutput } from "./tool-output.ts";

/** The options that all kinds of tools share: for whom calls are made. */
export interface CallerOptions extends ChangeOptions {
  /**
   * The unique id of the conversation or the user. Stored results and waiting hops belong to it only. Its oldest
   * entries are dropped above `limits.maxConversationBytes`. With an id and a `store` that can claim, processes that
   * continue from the same messages at once make each call once. Default: none, and the hops of all runs share one
   * memory.
   */
  readonly conversation?: string | undefined;
  /**
   * The context of the caller, for `authorize` and the other hooks of the host. No model reads it. The SDK's
   * `experimental_context` (`ai` 6) or `toolsContext` for this tool (`ai` 7) overrides it. Default: none.
   */
  readonly context?: unknown;
  /**
   * Receives each call that waits for a person, with the reason, which is not in the SDK's request. An error of it
   * becomes one warning.
   */
  readonly onAsk?: ((call: AskedCall) => void | PromiseLike<void>) | undefined;
}

/** The options of `createTools`: the tools, the conversation and user of their calls, and the listeners. */
export interface ToolsOptions extends CallerOptions, CallListeners {
  /** Selects which of the host's tools are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
}

/** The kinds of `CallerOptions`. */
export const CALLER: OptionTable<CallerOptions> = {
  conversation: "id",
  context: "any",
  onAsk: "function",
  changes: "function",
};

/** A call that waits for a person. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly tool: Tool;
  /** The policy's reason to ask a person, in plain words, if there is one. */
  readonly reason: string | undefined;
}

/** A call of the SDK, before it is made. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly request: Pick<ToolCall, "tool" | "arguments">;
  /** The messages that led to the call. Both majors pass one array to `needsApproval` and `execute`. */
  readonly run: readonly unknown[];
  /** True if the tool is in `typed` of `createTools`. */
  readonly isTyped: boolean;
  /** The options of the call for the host or the guard. */
  readonly options: CallOptions;
}

/** A call that is made now. Its options contain the approval, if a person approved it. */
export interface MadeCall extends SdkCall {
  /** The approval in the messages, if there is one. */
  readonly approval: SdkApproval | undefined;
  /** False if a program makes the call, for example in code mode: no step of the SDK has it. */
  readonly isOfStep: boolean;
  /** Shows the progress of the call to the page. */
  report(output: ToolOutput): void;
}
