import type { JsonObject } from "../json/json.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { Tool } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";

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
  /** Receives each finished call once. */
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
