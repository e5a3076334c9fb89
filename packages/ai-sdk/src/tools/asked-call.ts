import type { ArgumentSource, HostTool } from "@toolrail/core";

/** A call that waits for a person. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly tool: HostTool;
  /** Why, in plain words for the person, where a policy said so. */
  readonly reason: string | undefined;
  /** Where its arguments came from, as far as that is known. */
  readonly sources: readonly ArgumentSource[];
}

/** Told of calls that wait for a person. What it throws is ignored. */
export type AskListener = (call: AskedCall) => void | PromiseLike<void>;
