import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  createScope,
  endStep,
  enterNested,
  type PipeScope,
  type StepBegun,
} from "@toolrail/core/adapter";
import { countEarlier } from "./pipe-engine.ts";
import { type NodeContext, toNestedConfig, type Work } from "./pipe-node.ts";
import { outcomeOf, readSteps } from "./pipe-results.ts";
import { openState } from "./pipe-seals.ts";
import { itemsAt, type KeptEnd, keep, keptAt, type PipeState } from "./pipe-state.ts";
import { type PlacedEach, type PlacedNested, placeItems } from "./place-steps.ts";
import { advanceTool } from "./step-nodes.ts";

/** The graph of a nested pipe, compiled. Its output is all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
  getGraphAsync(config: object): Promise<Graph>;
}

/** A nested pipe as a graph, and the steps that it may take. */
export interface NestedRun {
  readonly graph: NestedGraph;
  readonly recursionLimit: number;
}

/** Runs a nested pipe, which has begun. Its result follows from its channels, also when it had ended before. */
export function runNested(step: PlacedNested, nested: NestedRun): Work {
  return async (context) => {
    const begun = keptAt(context.state, step);
    if (begun?.type !== "begun") return {};
    const before = readSteps(context, step);
    const entry = enterNested(step, { ...context, ...before });
    if ("error" in entry) return {}; // `begin` has ended such a step.
    return keep(step, await runInside(context, { ...nested, ...entry, step, begun }));
  };
}

async function runInside(
  context: NodeContext,
  nested: NestedRun & {
    readonly step: PlacedNested;
    readonly scope: PipeScope;
    readonly begun: StepBegun;
  },
): Promise<KeptEnd> {
  const { run, config, shared } = context;
  const { graph, recursionLimit, step, scope, begun } = nested;
  const { pipe } = step;
  const own = toNestedConfig(config, { pipe, shared, scope, recursionLimit });
  const inner = await graph.invoke({}, own);
  await openState({ pipe, state: inner, shared, config });
  // Where it had ended before the process was lost, no node of it has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
  return { ...endStep(run, { ...begun, step, error }), inner };
}

/** Runs one item of a list, by what its node was handed alone. */
export function runItem(step: PlacedEach, toNested: (item: PlacedNested) => NestedRun): Work {
  return async (context) => {
    const { run, state } = context;
    const own = itemsAt(state, step);
    const item = placeItems(step, Number(state.at) + 1).at(-1);
    const kept = item && keptAt(own, item);
    if (kept?.type !== "open" && kept?.type !== "waiting") return {};
    const { scope = createScope({}) } = kept;
    const made = kept.type === "open" ? { args: kept.args, sources: kept.sources } : {};
    if (item?.kind === "tool") {
      const stage = await advanceTool(context, { step: item, scope, ...made, kept, isItem: true });
      return { [step.items]: keep(item, stage.type === "waiting" ? { ...stage, scope } : stage) };
    }
    if (!item) return {};
    const begun = beginStep(run, { step: item, scope, isItem: true });
    const end =
      begun.type === "ended"
        ? begun
        : await runInside(context, { ...toNested(item), step: item, scope, begun });
    return { [step.items]: keep(item, end) };
  };
}
