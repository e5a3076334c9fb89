import {
  beginStep,
  createScope,
  endStep,
  enterNested,
  expandItems,
  failureText,
  resumeToolStep,
  runToolStep,
  type StepStage,
  type ToolTurn,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import type { NodeContext, Work } from "./pipe-node.ts";
import { partResults, partsOf, readSteps } from "./pipe-results.ts";
import { type Kept, keep, keptAt, wholeHops } from "./pipe-state.ts";
import type { PlacedEach, PlacedGroup, PlacedNested, PlacedTool } from "./place-steps.ts";

const NOBODY = "it needs a person's approval, and this graph has no checkpointer to wait with";

/** Runs a tool step. Where a call needs a person the node runs once more, and waits; no call is made again. */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    return keep(step, await advanceTool(context, { step, scope, kept }));
  };
}

/** What a tool step comes to from where it is. */
export async function advanceTool(
  { run, config, shared }: NodeContext,
  { kept, ...turn }: ToolTurn & { readonly kept: Kept | undefined },
): Promise<StepStage> {
  let stage: StepStage;
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

/** Begins a step that holds others; it has ended already where it may not run. */
export function begin(step: PlacedGroup | PlacedNested | PlacedEach): Work {
  return async (context) => {
    const { run, state } = context;
    if (keptAt(state, step)) return {};
    const { scope } = readSteps(context, step);
    const begun = beginStep(run, { step, scope });
    if (begun.type === "ended" || step.kind === "parallel") return keep(step, begun);
    const refused = (error: string) => keep(step, endStep(run, { ...begun, step, error }));
    if (step.kind === "pipe") {
      const entry = enterNested(step, { ...context, scope });
      return "scope" in entry ? keep(step, begun) : refused(entry.error);
    }
    const items = expandItems(run, { step, scope });
    if (typeof items === "string") return refused(items);
    const open = items.map((item) => {
      const { keptBytes } = item.scope;
      return {
        type: "open",
        args: item.args,
        sources: item.sources,
        scope: item.args ? createScope({}, { keptBytes }) : item.scope,
      };
    });
    return { ...keep(step, begun), [step.items]: { ...open } };
  };
}

/** Waits for all children or items, however many super-steps they take, and ends the step. */
export function join(step: PlacedGroup | PlacedEach): Work {
  return async (context) => {
    const { run, state } = context;
    const begun = keptAt(state, step);
    const { parts, state: inner } = partsOf(step, state);
    const isReady = parts.every((part) => keptAt(inner, part)?.type === "ended");
    if (begun?.type !== "begun" || !isReady) return {};
    const { scope } = readSteps(context, step);
    const error = failureText(parts, partResults(step, { ...context, scope }));
    return keep(step, endStep(run, { ...begun, step, error }));
  };
}
