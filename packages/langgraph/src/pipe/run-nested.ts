import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { endStep, enterNested, type StepBegun } from "@toolrail/core/adapter";
import { countEarlier } from "./pipe-engine.ts";
import { asOwnRun, HANDED, type Handed, type NodeContext, type Turn } from "./pipe-node.ts";
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
  {
    step,
    begun,
    graph,
    ...turn
  }: Turn<PlacedNested> & { readonly begun: StepBegun; readonly graph: NestedGraph },
): Promise<Kept> {
  const { run, config, shared } = context;
  const { pipe } = step;
  const entry = enterNested(step, { ...context, ...turn });
  if ("error" in entry) return endStep(run, { ...begun, step, ...entry });
  const { scope } = entry;
  const own = asOwnRun(config, recursionLimitOf(pipe));
  const handed: Handed = { pipe, shared, scope };
  const configurable = { ...own.configurable, [HANDED]: handed };
  const inner = await graph.invoke({}, { ...own, configurable });
  await openState({ pipe, state: inner, shared, config });
  // Where it had ended before the process was lost, no node of it has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
  return { ...endStep(run, { ...begun, step, error }), inner };
}
