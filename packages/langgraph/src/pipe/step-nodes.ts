import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  endStep,
  enterNested,
  failureText,
  findTooMuch,
  resumeToolStep,
  runToolStep,
  tooMuchText,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import { countEarlier } from "./pipe-engine.ts";
import { toNestedConfig, type Work } from "./pipe-node.ts";
import { childResults, outcomeOf, readSteps } from "./pipe-results.ts";
import { type KeptEnd, keep, keptAt, type PipeState, withValue } from "./pipe-state.ts";
import type { PlacedGroup, PlacedNested, PlacedTool } from "./place-steps.ts";

const NOBODY = "it needs the approval of a person, and this graph has no checkpointer to wait with";

/** Runs a tool step. Where a call needs a person the node runs once more, and waits; no call is made again. */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const { run, state, config } = context;
    const kept = keptAt(state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    let stage: Awaited<ReturnType<typeof runToolStep>>;
    if (kept?.type === "waiting") {
      const { startMs, chain } = kept;
      const { reason = NOBODY } = chain.pending ?? {};
      const deny = reason === NOBODY ? NOBODY : `${reason}, and ${NOBODY}`;
      const decision = (await askAbout(run.host, chain.pending)) ?? { deny };
      const whole = { ...chain, hops: chain.hops.map(withValue) };
      stage = await resumeToolStep(run, { step, scope, startMs, chain: whole, decision });
    } else {
      stage = await runToolStep(run, { step, scope });
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
    return keep(step, "scope" in entry ? begun : endStep(run, { ...begun, step, ...entry }));
  };
}

/** Waits for all children, however many super-steps they take, and ends the group. */
export function join(step: PlacedGroup): Work {
  const { children } = step;
  return async (context) => {
    const { run, state, limits } = context;
    const begun = keptAt(state, step);
    const isReady = children.every((child) => keptAt(state, child)?.type === "ended");
    if (begun?.type !== "begun" || !isReady) return {};
    const { scope } = readSteps(context, step);
    const results = childResults(step, { ...context, scope });
    const dropped = findTooMuch(children, { ...context, results, scope }).map((child) => {
      const { hops: _, inner: __, ...end } = keptAt(state, child) as KeptEnd;
      return keep(child, { ...end, error: tooMuchText(limits, child), isDropped: true });
    });
    const update: PipeState = Object.assign({}, ...dropped);
    const kept = childResults(step, { ...context, state: { ...state, ...update }, scope });
    const error = failureText(children, kept);
    return { ...update, ...keep(step, endStep(run, { ...begun, step, error })) };
  };
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
    const before = readSteps(context, step);
    const entry = enterNested(step, { ...context, ...before });
    if ("error" in entry) return {}; // `begin` has ended such a step.
    const { scope } = entry;
    const nested = toNestedConfig(config, { pipe, shared, scope, recursionLimit });
    const inner = await graph.invoke({}, nested);
    // Where it had ended before the process was lost, no node of it has counted its steps.
    countEarlier(shared, { pipe, state: inner });
    const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
    return keep(step, { ...endStep(run, { ...begun, step, error }), inner });
  };
}
