import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { Tool } from "./tool.ts";

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
 * Listeners that receive calls before a model reads the results. Each is awaited for at most five minutes. Their errors are
 * ignored, since the call was already made.
 */
export interface CallListeners {
  /** Receives each finished call once. */
  readonly onHop?: (result: HopResult) => void | PromiseLike<void>;
  /** Receives each tool call of the model, once its chain has ended. */
  readonly onResult?: (result: ToolCallResult) => void | PromiseLike<void>;
}
