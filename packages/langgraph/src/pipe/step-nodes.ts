import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  endStep,
  enterNested,
  resumeToolStep,
  runToolStep,
  type Variables,
} from "@toolrail/pipe/engine";
import { nestInPlace } from "../langgraph-internals.ts";
import { askOrDeny } from "../tools/ask-person.ts";
import { countEarlier } from "./pipe-engine.ts";
import { asOwnRun, HANDED, type Handed, type NodeContext, type Work } from "./pipe-node.ts";
import { joinParts, readOutcome, variablesAt } from "./pipe-results.ts";
import { type PipeState, readStep, type StoredEnd, type StoredStep } from "./pipe-state.ts";
import {
  findRecursionLimit,
  type PlacedApart,
  type PlacedGroup,
  type PlacedNested,
  type PlacedPart,
  type PlacedTool,
  stepApart,
} from "./place-steps.ts";

/** The compiled graph of a nested pipe. Its output has all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
  getState(config: LangGraphRunnableConfig, options?: object): Promise<unknown>;
  getGraph(config?: object): Graph;
  getGraphAsync(config?: object): Promise<Graph>;
}

export type Nest = (step: PlacedNested | PlacedApart) => NestedGraph;

interface Turn<Step extends PlacedPart> {
  readonly step: Step;
  readonly variables: Variables;
  readonly stored: StoredStep | undefined;
}

export function runStep(step: PlacedPart, nest: Nest): Work {
  return async (context) => {
    const stored = readStep(context.state, step);
    if (stored?.type === "ended") return {};
    const turn = { step, variables: variablesAt(context, step), stored };
    return { [step.channel]: await takeTurn(context, { ...turn, nest }) };
  };
}

function takeTurn(
  context: NodeContext,
  { nest, ...turn }: Turn<PlacedPart> & { readonly nest: Nest },
): Promise<StoredStep> {
  const { step } = turn;
  if (step.kind === "tool") return runTool(context, { ...turn, step });
  return runInside(context, { ...turn, step, graph: nest(step) });
}

/** Runs a tool step. If a call needs a person, the node runs a second time to wait. No call is made twice. */
async function runTool(
  { run, config }: NodeContext,
  { stored, ...turn }: Turn<PlacedTool>,
): Promise<StoredStep> {
  let stage: StoredStep;
  if (stored?.type === "waiting") {
    const { startMs, chain } = stored;
    const decision = await askOrDeny(run.host, chain.pending);
    stage = await resumeToolStep(run, { ...turn, startMs, chain, decision });
  } else {
    stage = await runToolStep(run, turn);
  }
  config.signal?.throwIfAborted();
  return stage;
}

/** Runs a step that has its own graph. Its result follows from the graph's channels, even if it had ended before. */
async function runInside(
  context: NodeContext,
  { step, variables, graph }: Turn<PlacedNested | PlacedApart> & { readonly graph: NestedGraph },
): Promise<StoredStep> {
  const { run, config, shared, limits } = context;
  const { pipe } = step;
  const entry: { readonly variables?: Variables; readonly error?: string } =
    step.kind === "pipe" ? enterNested(step, { variables, limits }) : {};
  const { variables: within = variables, error } = entry;
  const handed: Handed = { pipe, shared, variables: within, error };
  const pipeId = context.pipe.path === "" ? run.pipeId : undefined;
  const { node, path } = step;
  const nestedConfig = await nestInPlace(asOwnRun(config, findRecursionLimit(pipe)), {
    node,
    path,
    pipeId,
  });
  const configurable = { ...nestedConfig.configurable, [HANDED]: handed };
  const inner = await graph.invoke({}, { ...nestedConfig, configurable });
  // If the graph had ended before the process was lost, none of its nodes has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  if (step.kind === "apart") return { ...(readStep(inner, stepApart(step)) as StoredEnd), inner };
  const begun = inner.run as StoredStep;
  if (begun.type === "ended") return begun;
  const outcome = readOutcome({ ...context, pipe, state: inner, variables: within });
  return { ...endStep(run, { ...begun, step, error: outcome.error }), inner };
}

/** Begins a nested pipe inside its graph. The pipe ends at once if it may not run. */
export function beginNested(step: PlacedNested): Work {
  return async ({ state, run, error }) => {
    if (state.run) return {};
    const begun = beginStep(run, step);
    if (begun.type === "ended" || error === undefined) return { run: begun };
    return { run: endStep(run, { ...begun, step, error }) };
  };
}

/** Begins a group. It ends at once if it may not run. */
export function beginGroup(step: PlacedGroup): Work {
  return async (context) => {
    const { run, state } = context;
    if (readStep(state, step)) return {};
    variablesAt(context, step);
    return { [step.channel]: beginStep(run, step) };
  };
}

export function endGroup(step: PlacedGroup): Work {
  return async (context) => {
    const { state } = context;
    const begun = readStep(state, step);
    if (begun?.type === "ended") return {};
    const variables = variablesAt(context, step);
    const areOver = step.children.every((part) => readStep(state, part)?.type === "ended");
    if (!begun || !areOver) return {};
    const { error } = joinParts(step, { ...context, variables });
    return { [step.channel]: { ...begun, ...endStep(context.run, { ...begun, step, error }) } };
  };
}
