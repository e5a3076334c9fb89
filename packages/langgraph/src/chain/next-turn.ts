import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import type { OptionTable } from "@toolrail/core/internal";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { foldHops } from "./fold-hops.ts";
import { pendingHops, shownToUser, toHopMessage } from "./hop-messages.ts";

/** How a model reads a chain whose hops are turns of the graph. */
export interface ChainOptions {
  /** False lets the model read each hop as a call and a result of its own. Default true: folded. */
  readonly fold?: boolean;
  /** False asks the model even where all was for the user alone. Default true: the run ends, with an empty message. */
  readonly endWhenShown?: boolean;
}

/** The kinds of `ChainOptions`. */
export const CHAIN_OPTIONS: OptionTable<ChainOptions> = {
  fold: "boolean",
  endWhenShown: "boolean",
};

/** What an agent node does next: a turn that needs no model, or the messages that its model reads. */
type NextTurn =
  | { readonly turn: AIMessage; readonly hops: readonly DecidedHop[] }
  | { readonly read: BaseMessage[] };

export function nextTurn(
  host: Host,
  {
    messages,
    read = messages,
    decided = {},
    fold = true,
    endWhenShown = true,
  }: ChainOptions & {
    readonly messages: BaseMessage[];
    /** What the model would read, where other middleware has changed it. Default: all messages. */
    readonly read?: BaseMessage[];
    readonly decided?: DecidedHops | undefined;
  },
): NextTurn {
  const hops = pendingHops(messages, decided);
  const isOver = hops.length === 0 && endWhenShown && shownToUser(messages);
  if (hops.length > 0 || isOver) return { turn: toHopMessage(host, hops), hops };
  return { read: fold ? foldHops(read) : read };
}
