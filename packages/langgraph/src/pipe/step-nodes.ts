import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  endStep,
  enterNested,
  failureText,
  resumeToolStep,
  runToolStep,
  tooMuchText,
  weighGroup,
} from "@toolrail/core/adapter";
import { askPerson } from "../tools/ask-person.ts";
import { type NodeContext, toNestedConfig, type Work } from "./pipe-node.ts";
import { childResults, outcomeOf, readSteps } from "./pipe-results.ts";
import { type KeptEnd, keep, keptAt, type PipeState, withValue } from "./pipe-state.ts";
import type { PlacedGroup, PlacedNested, PlacedTool } from "./place-steps.ts";

const NOBODY = "it needs the approval of a person, and this graph has no checkpointer to wait with";

/**
 * Runs a tool step until it ends or a call of it needs a person. Then the node runs once more and waits
 * with an interrupt: what was called before is in a checkpoint, and not called again.
 */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const { run, state, config } = context;
    const kept = keptAt(state, step);
    if (kept?.type === "ended") return {};
    const { scope, bytes } = readSteps(context, step);
    const keptBytes = context.keptBytes + bytes;
    let stage: Awaited<ReturnType<typeof runToolStep>>;
    if (kept?.type === "waiting") {
      const { startMs, chain } = kept;
      const decision = (await askPerson(run.host, chain.pending)) ?? { deny: NOBODY };
      const whole = { ...chain, hops: chain.hops.map(withValue) };
      stage = await resumeToolStep(run, { step, keptBytes, startMs, chain: whole, decision });
    } else {
      stage = await runToolStep(run, { step, scope, keptBytes });
    }
    config.signal?.throwIfAborted();
    return keep(step, stage);
  };
}

/** Begins a group or a nested pipe; it has ended already where it may not run. */
export function begin(step: PlacedGroup | PlacedNested): Work {
  return async (context) => {
    const { run, state } = context;
    if (keptAt(state, step)) return {};
    const { scope } = readSteps(context, step);
    const begun = beginStep(run, step);
    if (begun.type === "ended" || step.kind !== "pipe") return keep(step, begun);
    const entry = enterNested(step, { ...context, scope });
    return keep(step, "vars" in entry ? begun : endStep(run, { ...begun, step, ...entry }));
  };
}

/** Waits for all children, however many super-steps they take, and ends the group. */
export function join(step: PlacedGroup): Work {
  const { children } = step;
  return async (context) => {
    const { run, state } = context;
    const begun = keptAt(state, step);
    const isReady = children.every((child) => keptAt(state, child)?.type === "ended");
    if (begun?.type !== "begun" || !isReady) return {};
    const { scope, bytes: before } = readSteps(context, step);
    const { bytes, update } = dropBeyond(step, {
      ...context,
      keptBytes: context.keptBytes + before,
    });
    const results = childResults(step, { ...context, state: { ...state, ...update }, scope });
    const error = failureText(children, results);
    return { ...update, ...keep(step, { ...endStep(run, { ...begun, step, error }), bytes }) };
  };
}

/** What all children that are kept weigh, and the update that drops the others. */
function dropBeyond({ children }: PlacedGroup, { state, limits, keptBytes }: NodeContext) {
  const ends = children.map((child) => keptAt(state, child) as KeptEnd);
  const { bytes, isDropped } = weighGroup(limits, { keptBytes, children: ends });
  const updates = children.flatMap((child, at) => {
    const { hops: _, inner: __, ...end } = ends[at] as KeptEnd;
    const error = tooMuchText(limits, child);
    return isDropped[at] ? keep(child, { ...end, error, bytes: 0, isDropped: true }) : [];
  });
  return { bytes, update: Object.assign({}, ...updates) as PipeState };
}

/** The graph of a nested pipe, compiled. Its output is all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
}

/** Runs a nested pipe, which has begun. Its result follows from its channels, also when it had ended before. */
export function runNested(
  step: PlacedNested,
  { graph, recursionLimit }: { readonly graph: NestedGraph; readonly recursionLimit: number },
): Work {
  const { pipe } = step;
  return async (context) => {
    const { run, state, config, shared } = context;
    const begun = keptAt(state, step);
    if (begun?.type !== "begun") return {};
    const { scope, bytes: before } = readSteps(context, step);
    const keptBytes = context.keptBytes + before;
    const entry = enterNested(step, { ...context, scope });
    const vars = "vars" in entry ? entry.vars : {};
    const nested = toNestedConfig(config, { pipe, shared, vars, keptBytes, recursionLimit });
    const inner = await graph.invoke({}, nested);
    const reading = { ...context, pipe, state: inner, vars };
    const { error } = outcomeOf(reading);
    const { bytes } = readSteps(reading);
    return keep(step, { ...endStep(run, { ...begun, step, error }), inner, bytes });
  };
}
