import type { BaseMessage } from "@langchain/core/messages";
import { Runnable } from "@langchain/core/runnables";
import { isCommand, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { createOptionCheck, engineOf, invalidOptions } from "@toolrail/core/adapter";
import { HOPS_KEY, type HopsUpdate, readDecidedHops } from "../tools/chain-state.ts";
import { CHAIN_OPTIONS, type ChainOptions, nextTurn } from "./hop-messages.ts";

/** An agent node for `addNode`: a function of the state, or a runnable. */
export type AgentNode<State, Update> =
  | ((state: State, config: LangGraphRunnableConfig) => Update | Promise<Update>)
  | Runnable<State, Update>;

/** The agent that `chainNode` wraps, and the options of its chains. */
export interface ChainNodeOptions<State, Update> extends ChainOptions {
  /** The node that asks the model. */
  readonly agent: AgentNode<State, Update>;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ChainNodeOptions<unknown, unknown>>(
  "chainNode",
  { ...CHAIN_OPTIONS, agent: ["function", "object"] },
  { isRequired: true },
);

/**
 * Wraps the agent node of a graph over `chainState`. While tool results ask for a next tool, the node answers with
 * that call instead of asking its model. Edges, conditions and `ToolNode` do not change, and each hop is a turn of
 * the graph. Such a turn follows the edges of the node, even if the agent itself routes with a `Command`.
 */
export function chainNode<State extends { readonly messages: BaseMessage[] }, Update>(
  host: Host,
  settings: ChainNodeOptions<State, Update>,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  engineOf(host); // Throws now, and not in the first turn, for anything except a host.
  checkOptions(settings);
  const { agent, ...options } = settings;
  const ask = async (state: State, config: LangGraphRunnableConfig) =>
    Runnable.isRunnable(agent) ? agent.invoke(state, config) : agent(state, config);
  return async (state, config) => {
    if (!(HOPS_KEY in state)) throw invalidOptions(NO_CHANNELS);
    const decided = readDecidedHops(state);
    const next = nextTurn(host, { ...options, messages: state.messages, decided });
    if ("read" in next) return forgetHops(await ask({ ...state, messages: next.read }, config));
    // The state has the hops of this turn only, so that no later turn makes them again.
    const hops: HopsUpdate = Object.fromEntries(
      next.hops.map(({ pending }) => [pending.id, { pending }]),
    );
    return { messages: [next.turn], [HOPS_KEY]: hops } as Update;
  };
}

const NO_CHANNELS =
  "The state of this graph has no place for hops, so chainNode would lose them: write new StateGraph(chainState(MessagesAnnotation)), with your own annotation or schema.";

/** Drops all hops that were decided before the model's answer, so that nothing can start them later. */
function forgetHops<Update>(update: Update): Update {
  const forget = { [HOPS_KEY]: null };
  if (Array.isArray(update)) return [...update, forget] as Update;
  if (isCommand(update)) return [update, forget] as Update;
  return { ...update, ...forget };
}
