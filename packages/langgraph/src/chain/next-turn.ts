import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import type { OptionTable } from "@toolrail/core/adapter";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { foldHops } from "./fold-hops.ts";
import { coverHops, pendingHops, shownToUser, toHopMessage } from "./hop-messages.ts";

/** The options for chains whose hops are turns of the graph. */
export interface ChainOptions {
  /** If false, the model reads each hop as a separate call and result. Default true: a chain reads as one call. */
  readonly fold?: boolean;
  /** If false, the model is asked even if all results were for the user only. Default true: the run then ends. */
  readonly endWhenShown?: boolean;
}

export const CHAIN_OPTIONS: OptionTable<ChainOptions> = {
  fold: "boolean",
  endWhenShown: "boolean",
};

/** The next action of an agent node: a turn that needs no model, or the messages that its model reads. */
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
    /** The messages for the model, if other middleware changed them. Default: all messages. */
    readonly read?: BaseMessage[];
    readonly decided?: DecidedHops | undefined;
  },
): NextTurn {
  const hops = pendingHops(messages, decided);
  const isOver = hops.length === 0 && endWhenShown && shownToUser(messages);
  if (hops.length > 0 || isOver) return { turn: toHopMessage(host, hops), hops };
  return { read: fold ? foldHops(read) : read.map(coverHops) };
}
