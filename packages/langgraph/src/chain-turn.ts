import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import type { DecidedHops } from "./hop-channel.ts";
import { pendingHops, shownToUser, toHopMessage, toShownMessage } from "./hop-messages.ts";

export interface ChainOptions {
  /** False lets the model read each hop as a call and a result of its own. Default true: folded. */
  readonly fold?: boolean;
  /**
   * True ends the run, without another call of the model, where all results since the model spoke were
   * for the user alone. The last message is then an empty one of ours. Default false.
   */
  readonly endWhenShown?: boolean;
}

/** The next turn where no model is needed for it; `undefined` where the model is to be asked. */
export function nextTurn(
  host: Host,
  messages: readonly BaseMessage[],
  decided: DecidedHops = {},
  { endWhenShown = false }: ChainOptions,
): AIMessage | undefined {
  const hops = pendingHops(messages, decided);
  if (hops.length > 0) return toHopMessage(host, hops);
  return endWhenShown && shownToUser(messages) ? toShownMessage() : undefined;
}
