import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { PendingCall } from "@toolrail/core";
import { beginStep, endStep, enterNested, resumeToolStep, runToolStep } from "@toolrail/core/pipe";
import { decidePending } from "../tools/ask-person.ts";
import { joinParts, readOutcome, variablesAt } from "./pipe-results.ts";
import { asOwnRun, countEarlier, HANDED, type Handed, type Work } from "./pipe-run.ts";
import { type PipeState, readStep, type StoredStep } from "./pipe-state.ts";
import {
  findRecursionLimit,
  groupsOf,
  type PlacedGroup,
  type PlacedNested,
  type PlacedTool,
} from "./place-steps.ts";

/** The compiled graph of a nested pipe. Its output has all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
}

/** Runs a tool step. If its first call needs a person, the node waits for them before the call. */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const { state, run, config } = context;
    if (readStep(state, step)?.type === "ended") return {};
    const variables = variablesAt(context, step);
    let stage = await runToolStep(run, { step, variables });
    while (stage.type === "waiting") {
      const { startMs } = stage;
      const { pending, error: _, ...rest } = stage.chain;
      const asked = { ...rest, pending: pending as PendingCall };
      const { asked: chain, decision } = await decidePending(run.host, {
        pending: asked.pending,
        asked,
        config,
      });
      stage = await resumeToolStep(run, { step, variables, startMs, chain, decision });
    }
    config.signal?.throwIfAborted();
    return { [step.channel]: stage };
  };
}

/** Runs the graph of a nested pipe. The step's result follows from the graph's channels, even if it had ended before. */
export function runNested(step: PlacedNested, graph: NestedGraph): Work {
  return async (context) => {
    const { state, run, config } = context;
    if (readStep(state, step)?.type === "ended") return {};
    const variables = variablesAt(context, step);
    const entry = enterNested(step, { variables, limits: run.limits });
    const { pipe } = step;
    const handed: Handed = { run, variables, ...entry, pipe };
    const own = asOwnRun(config, findRecursionLimit(pipe));
    const configurable = { ...own.configurable, [HANDED]: handed };
    const inner = await graph.invoke({}, { ...own, configurable });
    // If the graph had ended before the process was lost, none of its nodes has counted its steps.
    countEarlier(run, { pipe, state: inner });
    const begun = inner.run as StoredStep;
    if (begun.type === "ended") return { [step.channel]: begun };
    const { error } = readOutcome({ ...handed, state: inner });
    return { [step.channel]: { ...endStep(run, { ...begun, step, error }), inner } };
  };
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

/** Begins a group and the groups in it. A group ends at once if it may not run. */
export function beginGroup(step: PlacedGroup): Work {
  return async (context) => {
    const { run, state } = context;
    if (readStep(state, step)) return {};
    variablesAt(context, step);
    const begin = (group: PlacedGroup): PipeState => {
      const begun = beginStep(run, group);
      const inside = begun.type === "begun" ? group.children : [];
      const inner = inside.map((child) => (child.kind === "parallel" ? begin(child) : {}));
      return Object.assign({ [group.channel]: begun }, ...inner);
    };
    return begin(step);
  };
}

/** Ends a group whose parts have all ended, after the groups in it. */
export function endGroup(step: PlacedGroup): Work {
  return async (context) => {
    const { run, state } = context;
    if (readStep(state, step)?.type === "ended") return {};
    const variables = variablesAt(context, step);
    let ended: PipeState = {};
    for (const group of groupsOf(step).reverse()) {
      const now = { ...state, ...ended };
      const begun = readStep(now, group);
      const isOver = group.children.every((part) => readStep(now, part)?.type === "ended");
      if (begun?.type !== "begun" || !isOver) continue;
      const { error } = joinParts(group, { ...context, state: now, variables });
      ended = { ...ended, [group.channel]: endStep(run, { ...begun, step: group, error }) };
    }
    return ended;
  };
}
