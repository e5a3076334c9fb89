import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { beginStep, endStep, enterNested } from "@toolrail/core/adapter";
import { countEarlier } from "./pipe-engine.ts";
import { type NodeContext, type Turn, toNestedConfig } from "./pipe-node.ts";
import { outcomeOf } from "./pipe-results.ts";
import { openState } from "./pipe-seals.ts";
import type { Kept, PipeState } from "./pipe-state.ts";
import { type PlacedNested, recursionLimitOf } from "./place-steps.ts";

/** The graph of a nested pipe, compiled. Its output is all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
  getGraphAsync(config: object): Promise<Graph>;
}

/** The graph of each nested pipe. */
export type Nest = (step: PlacedNested) => NestedGraph;

/** Runs a nested pipe. Its result follows from the channels of its graph, also where that had ended before. */
export async function runNested(
  context: NodeContext,
  { kept, graph, ...turn }: Turn<PlacedNested> & { readonly graph: NestedGraph },
): Promise<Kept> {
  const { run, config, shared } = context;
  const { step } = turn;
  const { pipe } = step;
  const begun = kept ?? beginStep(run, turn);
  if (begun.type !== "begun") return begun;
  const entry = enterNested(step, { ...context, ...turn });
  if ("error" in entry) return endStep(run, { ...begun, step, ...entry });
  const { scope } = entry;
  const recursionLimit = recursionLimitOf(pipe);
  const own = toNestedConfig(config, { pipe, shared, scope, recursionLimit });
  const inner = await graph.invoke({}, own);
  await openState({ pipe, state: inner, shared, config });
  // Where it had ended before the process was lost, no node of it has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
  return { ...endStep(run, { ...begun, step, error }), inner };
}
