import type { Graph } from "@langchain/core/runnables/graph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ChainResult, Decision } from "@toolrail/core";
import { approvalText, modelNameOf } from "@toolrail/core/adapter";
import {
  beginStep,
  endStep,
  enterNested,
  resumeToolStep,
  runToolStep,
  type Variables,
} from "@toolrail/core/pipe";
import { askPerson } from "../tools/ask-person.ts";
import { readStated } from "../tools/call-config.ts";
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
  getGraph(config?: object): Graph;
  getGraphAsync(config?: object): Promise<Graph>;
}

export type Nest = (step: PlacedNested | PlacedApart) => NestedGraph;

interface Turn<Step extends PlacedPart> {
  readonly step: Step;
  readonly variables: Variables;
}

export function runStep(step: PlacedPart, nest: Nest): Work {
  return async (context) => {
    const stored = readStep(context.state, step);
    if (stored?.type === "ended") return {};
    const turn = { step, variables: variablesAt(context, step), nest };
    return { [step.channel]: await takeTurn(context, turn) };
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

/** Runs a tool step. If its first call needs a person, the node waits for them before the call. */
async function runTool(
  { run, config }: NodeContext,
  turn: Pick<Turn<PlacedTool>, "step" | "variables">,
): Promise<StoredStep> {
  let stage = await runToolStep(run, turn);
  while (stage.type === "waiting") {
    const { chain, decision } = await decide(run, { chain: stage.chain, config });
    stage = await resumeToolStep(run, { ...turn, startMs: stage.startMs, chain, decision });
  }
  config.signal?.throwIfAborted();
  return stage;
}

/** Asks a person about the first call of a chain. The answer is about the chain as it was asked about. */
async function decide(
  { host }: NodeContext["run"],
  { chain, config }: { readonly chain: ChainResult; readonly config: LangGraphRunnableConfig },
): Promise<{ readonly chain: ChainResult; readonly decision: Decision }> {
  const { pending, error: _, ...rest } = chain;
  if (!pending) return { chain, decision: { deny: NOBODY } };
  const { server, tool, arguments: args, reason } = pending;
  const name = modelNameOf(pending, host.tools);
  const asked = { ...rest, pending };
  const question = { id: "call", name, args, description: approvalText(pending), reason, asked };
  const answers = await askPerson({
    questions: [question],
    config,
    async checkEdit(_question, changes) {
      const request = { tool: { server, name: tool }, arguments: changes };
      const checked = await host.check(request, readStated(config));
      return checked.type === "refuse" ? checked.error.message : undefined;
    },
  });
  const answer = answers === "nobody" ? undefined : answers.call;
  if (!answer) return { chain, decision: { deny: NOBODY } };
  const kept = answer.asked as ChainResult;
  if (answer.type === "reject") return { chain: kept, decision: { deny: answer.message } };
  const { changes } = answer;
  return { chain: kept, decision: changes ? { approve: { arguments: changes } } : "approve" };
}

const NOBODY =
  "it needs a person's approval, and nobody can be asked: this graph has no checkpointer";

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
  const nestedConfig = asOwnRun(config, findRecursionLimit(pipe));
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
