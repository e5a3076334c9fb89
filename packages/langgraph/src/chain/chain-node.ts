import type { BaseMessage } from "@langchain/core/messages";
import { Runnable } from "@langchain/core/runnables";
import { isCommand, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { createOptionCheck, engineOf } from "@toolrail/core/adapter";
import { decidedHopsOf, HOPS_KEY, type HopsUpdate } from "../tools/chain-state.ts";
import { CHAIN_OPTIONS, type ChainOptions, nextTurn } from "./next-turn.ts";

/** An agent node as `addNode` takes it: a function of the state, or a runnable. */
export type AgentNode<State, Update> =
  | ((state: State, config: LangGraphRunnableConfig) => Update | Promise<Update>)
  | Runnable<State, Update>;

/** The agent that `chainNode` wraps, and how its model reads chains. */
export interface ChainNodeOptions<State, Update> extends ChainOptions {
  /** The node that asks the model. */
  readonly agent: AgentNode<State, Update>;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ChainNodeOptions<unknown, unknown>>(
  "chainNode",
  { ...CHAIN_OPTIONS, agent: ["function", "object"] },
);

/**
 * Wraps the agent node of a graph over `chainState`: while tool results ask for a next tool, the node
 * answers with that call instead of asking its model. Edges, conditions and `ToolNode` stay as they are,
 * and each hop is a turn of the graph. Such a turn leaves over the edges of the node, also where the agent
 * itself routes with a `Command`.
 */
export function chainNode<State extends { readonly messages: BaseMessage[] }, Update>(
  host: Host,
  settings: ChainNodeOptions<State, Update>,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  engineOf(host); // Anything but a host is refused here, and not in the first turn.
  checkOptions(settings);
  const { agent, ...options } = settings;
  const ask = async (state: State, config: LangGraphRunnableConfig) =>
    Runnable.isRunnable(agent) ? agent.invoke(state, config) : agent(state, config);
  return async (state, config) => {
    const decided = decidedHopsOf(state);
    const next = nextTurn(host, { ...options, messages: state.messages, decided });
    if ("read" in next) return forgetHops(await ask({ ...state, messages: next.read }, config));
    // The hops of this turn alone, so that nothing but this turn makes them.
    const hops: HopsUpdate = Object.fromEntries(
      next.hops.map(({ pending, mac }) => [pending.id, { pending, mac }]),
    );
    return { messages: [next.turn], [HOPS_KEY]: hops } as Update;
  };
}

/** Whatever was decided before the model spoke is over: nothing that comes later may start it. */
function forgetHops<Update>(update: Update): Update {
  const forget = { [HOPS_KEY]: null };
  if (Array.isArray(update)) return [...update, forget] as Update;
  if (isCommand(update)) return [update, forget] as Update;
  return { ...update, ...forget };
}
