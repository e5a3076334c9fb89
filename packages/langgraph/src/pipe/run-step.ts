import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  endStep,
  enterNested,
  resumeToolStep,
  runToolStep,
  type ToolTurn,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import { countEarlier } from "./pipe-engine.ts";
import { type NodeContext, toNestedConfig, type Work } from "./pipe-node.ts";
import { outcomeOf, readSteps, scopesOf } from "./pipe-results.ts";
import { openState } from "./pipe-seals.ts";
import {
  itemsAt,
  itemsOf,
  type Kept,
  keep,
  keptAt,
  type PipeState,
  wholeHops,
} from "./pipe-state.ts";
import {
  type PlacedEach,
  type PlacedNested,
  type PlacedTool,
  recursionLimitOf,
} from "./place-steps.ts";

/** The graph of a nested pipe, compiled. Its output is all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
  getGraphAsync(config: object): Promise<Graph>;
}

/** The graph of each nested pipe. */
export type Nest = (step: PlacedNested) => NestedGraph;

/** A step that is run, or the one of an item, what it sees, and how far it has come. */
type Turn<Step> = Pick<ToolTurn, "scope" | "isItem"> & {
  readonly step: Step;
  readonly kept: Kept | undefined;
};

/** Runs a tool step, or a nested pipe. */
export function runStep(step: PlacedTool | PlacedNested, nest: Nest): Work {
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    return keep(step, await goOn(context, { step, scope, kept, nest }));
  };
}

/** Runs the item of a list that its node was sent. */
export function runItem(list: PlacedEach, nest: Nest): Work {
  return async (context) => {
    const { state } = context;
    const { at = -1 } = state;
    const step = itemsOf(state, list)[at];
    const kept = step && keptAt(itemsAt(state, list), step);
    if (!step || kept?.type === "ended") return {};
    const scopes = scopesOf(list, { ...context, ...readSteps(context, list) });
    const turn = { step, scope: scopes[at] ?? context.scope, kept, nest, isItem: true };
    return { [list.items]: keep(step, await goOn(context, turn)) };
  };
}

function goOn(
  context: NodeContext,
  { step, nest, ...turn }: Turn<PlacedTool | PlacedNested> & { readonly nest: Nest },
): Promise<Kept> {
  return step.kind === "tool"
    ? goOnWithTool(context, { ...turn, step })
    : runInside(context, { ...turn, step, graph: nest(step) });
}

/** Where a call needs a person the node runs once more, and waits; no call is made again. */
async function goOnWithTool(
  { run, config, shared }: NodeContext,
  { kept, ...turn }: Turn<PlacedTool>,
): Promise<Kept> {
  let stage: Kept;
  if (kept?.type === "waiting") {
    const { startMs, chain } = kept;
    const { reason = NOBODY } = chain.pending ?? {};
    const deny = reason === NOBODY ? NOBODY : `${reason}, and ${NOBODY}`;
    const decision = (await askAbout(run.host, chain.pending)) ?? { deny };
    const whole = { ...chain, hops: wholeHops(shared, chain.hops) };
    stage = await resumeToolStep(run, { ...turn, startMs, chain: whole, decision });
  } else {
    stage = await runToolStep(run, turn);
  }
  config.signal?.throwIfAborted();
  return stage;
}

const NOBODY = "it needs a person's approval, and this graph has no checkpointer to wait with";

/** Its result follows from the channels of its graph, also where that had ended before. */
async function runInside(
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
  const inner = await graph.invoke(
    {},
    toNestedConfig(config, { pipe, shared, scope, recursionLimit }),
  );
  await openState({ pipe, state: inner, shared, config });
  // Where it had ended before the process was lost, no node of it has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
  return { ...endStep(run, { ...begun, step, error }), inner };
}
