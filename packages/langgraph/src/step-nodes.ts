import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  endNested,
  enterNested,
  type JsonObject,
  type NestedPlan,
  type PipeResult,
  refuseStep,
  runToolStep,
  ToolrailError,
} from "@toolrail/core";
import { contextOf, type PipeContext, type PipeEngine, toNestedConfig } from "./pipe-context.ts";
import type { PlacedStep } from "./pipe-names.ts";
import {
  type Kept,
  keep,
  keepResult,
  keptAt,
  type Node,
  type PlacedPipe,
  scopeOf,
} from "./pipe-state.ts";
import { pausedChain, runInNode } from "./run-in-node.ts";

export function toolNode(engine: PipeEngine, pipe: PlacedPipe, place: PlacedStep): Node {
  const { step } = place;
  return async (state, config) => {
    if (step.kind !== "tool") return {};
    const context = contextOf(engine, pipe, state, config);
    const kept = keptAt(state, place);
    const paused = kept?.type === "paused" ? kept.chain : undefined;
    const run = runInNode(engine, context, config, paused);
    const skipped = beginGroups(context, place, run);
    if (skipped) return keep(place, skipped);
    try {
      const result = await runToolStep(run, step, scopeOf(pipe, state, place));
      config.signal?.throwIfAborted();
      return keepResult(place, result);
    } catch (error) {
      const chain = pausedChain(error);
      if (!chain) throw error;
      run.spent.steps--;
      const { error: _, ...plain } = chain;
      return keep(place, { type: "paused", chain: plain });
    }
  };
}

/** Begins the groups around a step that have not begun. Where one of them may not run, the step is left out. */
function beginGroups(
  context: PipeContext,
  { groups }: PlacedStep,
  run: PipeContext["run"],
): Extract<Kept, { type: "skipped" }> | undefined {
  for (const { step, channel } of groups) {
    const begun = context.groups.get(step) ?? {
      startMs: beginStep(run, step),
      refusal: refuseStep(run),
    };
    context.groups.set(step, begun);
    if (begun.refusal) return { type: "skipped", group: channel, why: begun.refusal.message };
  }
  return undefined;
}

/** A nested pipe's graph, compiled. */
export interface NestedGraph {
  invoke(input: { vars: JsonObject }, config: LangGraphRunnableConfig): Promise<object>;
}

export function nestedNode(
  engine: PipeEngine,
  pipe: PlacedPipe,
  place: PlacedStep,
  { graph, recursionLimit }: { graph: NestedGraph; recursionLimit: number },
): Node {
  const step = place.step as NestedPlan;
  return async (state, config) => {
    const context = contextOf(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    const skipped = beginGroups(context, place, run);
    if (skipped) return keep(place, skipped);
    const startMs = beginStep(run, step);
    const refusal = refuseStep(run);
    if (refusal) {
      const error = `${step.path}: ${refusal.message}`;
      return keepResult(place, endNested(run, step, startMs, { error }));
    }
    const entry = enterNested(run, step, scopeOf(pipe, state, place));
    if ("error" in entry) return keepResult(place, endNested(run, step, startMs, entry));
    const nested = toNestedConfig(config, context, recursionLimit);
    const result = await graph.invoke({ vars: entry.vars }, nested);
    if (!isPipeResult(result)) {
      const message = `The nested pipe ${step.path} ended without a result.`;
      throw new ToolrailError("callback-failed", message);
    }
    return keepResult(place, endNested(run, step, startMs, result));
  };
}

function isPipeResult(value: object): value is PipeResult {
  return "ok" in value && "steps" in value;
}
