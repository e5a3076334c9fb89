import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { Runnable } from "@langchain/core/runnables";
import { Command, isCommand, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { type ChainOptions, nextTurn } from "./chain-turn.ts";
import { foldHops } from "./fold-hops.ts";
import { type DecidedHops, decidedHopsOf, HOPS_KEY, type HopsUpdate } from "./hop-channel.ts";

interface MessagesState {
  readonly messages: BaseMessage[];
}

/** An agent node as `addNode` takes it: a function of the state, or a runnable. */
export type AgentNode<State, Update> =
  | ((state: State, config: LangGraphRunnableConfig) => Update | Promise<Update>)
  | Runnable<State, Update>;

export interface ChainNodeOptions extends ChainOptions {
  /** The node that runs tools, where the agent routes with a `Command` and not over an edge. */
  readonly toolsNode?: string;
}

/**
 * Wraps the agent node of a graph over `chainState`: while tool results ask for a next tool, the node
 * answers with that call instead of asking its model. Edges, conditions and `ToolNode` stay as they are,
 * and each hop is a turn of the graph.
 */
export function chainNode<State extends MessagesState, Update>(
  host: Host,
  agent: AgentNode<State, Update>,
  options: ChainNodeOptions = {},
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  const ask = async (state: State, config: LangGraphRunnableConfig) =>
    Runnable.isRunnable(agent) ? agent.invoke(state, config) : agent(state, config);
  return async (state, config) => {
    const { messages } = state;
    const decided = decidedHopsOf(state);
    const turn = nextTurn(host, messages, decided, options);
    if (turn) return toUpdate(turn, decided, options) as Update;
    const read = options.fold === false ? state : { ...state, messages: foldHops(messages) };
    return forgetHops(await ask(read, config));
  };
}

function toUpdate(turn: AIMessage, decided: DecidedHops = {}, { toolsNode }: ChainNodeOptions) {
  const update = { messages: [turn], [HOPS_KEY]: written(turn, decided) };
  return toolsNode !== undefined && turn.tool_calls?.length
    ? new Command({ update, goto: toolsNode })
    : update;
}

/** The hops of a turn, so that nothing but this turn makes them. */
function written({ tool_calls = [] }: AIMessage, decided: DecidedHops): HopsUpdate {
  const hops = tool_calls.flatMap(({ id }) => (id === undefined ? [] : (decided[id] ?? [])));
  return Object.fromEntries(hops.map(({ ticket }) => [ticket.id, { ticket }]));
}

/** Whatever was decided before the model spoke is over: nothing that comes later may start it. */
function forgetHops<Update>(update: Update): Update {
  const forget = { [HOPS_KEY]: null };
  if (Array.isArray(update)) return [...update, forget] as Update;
  if (isCommand(update)) return [update, forget] as Update;
  return { ...update, ...forget };
}
