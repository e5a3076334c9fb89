import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { Tool } from "./tool.ts";

/** A finished call, and the tool call of the model that it answers. */
export interface HopResult {
  /** `undefined` where a tool was run without a tool call. */
  readonly toolCallId: string | undefined;
  /** With the raw result: for `userView`, and for widgets in its `_meta`. */
  readonly hop: Hop;
}

/** A tool call of the model and everything that came of it. */
export interface ToolCallResult extends Pick<HopResult, "toolCallId"> {
  readonly tool: Tool;
  /** Every hop with its raw result: for `userView`, and for `host.resume` where a hop needs approval. */
  readonly chain: ChainResult;
}

/** Receives calls before a model reads of them. Listeners are awaited, for five minutes at most; their errors are ignored, since the call was made. */
export interface CallListeners {
  /** Told of each finished call, once. */
  readonly onHop?: (result: HopResult) => void | PromiseLike<void>;
  /** Told of each tool call of the model when its chain has ended. */
  readonly onResult?: (result: ToolCallResult) => void | PromiseLike<void>;
}
