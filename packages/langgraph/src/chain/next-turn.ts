import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import { engineOf, modelNameOf, type OptionTable } from "@toolrail/core/adapter";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { coverHops, foldHops, METADATA, resultsSinceModel, shownToUser } from "./hop-messages.ts";

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

/** Returns the decided hops of the results since the model's last message, in order, without those that have a result. */
function pendingHops(messages: readonly BaseMessage[], decided: DecidedHops): DecidedHop[] {
  const results = resultsSinceModel(messages);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const open = Object.values(decided).filter(({ pending }) => !answered.has(pending.id));
  return results.flatMap(({ id, tool_call_id }) =>
    open.filter(({ cause }) => cause?.messageId === id && cause?.toolCallId === tool_call_id),
  );
}

/** Creates the turn that makes these hops. Without hops it ends the run, and no model reads it. */
function toHopMessage(host: Host, hops: readonly DecidedHop[]): AIMessage {
  const pendingHops = hops.map(({ pending }) => pending);
  const roots = Object.fromEntries(pendingHops.map(({ id, root }) => [id, root]));
  const hidden = pendingHops.filter(({ call }) => call.origin.forUserAlone).map(({ id }) => id);
  return new AIMessage({
    id: `turn-${engineOf(host).newId()}`,
    content: "",
    tool_calls: pendingHops.map(({ id, call }) => ({
      type: "tool_call",
      id,
      name: modelNameOf(call, host.tools),
      args: { ...call.arguments },
    })),
    response_metadata: { [METADATA]: { hops: roots, ...(hidden.length > 0 && { hidden }) } },
  });
}
