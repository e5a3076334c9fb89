import { beginStep, endStep, enterNested, expandItems, failureText } from "@toolrail/core/adapter";
import type { Work } from "./pipe-node.ts";
import { partResults, partsOf, readSteps } from "./pipe-results.ts";
import { keep, keptAt } from "./pipe-state.ts";
import type { PlacedEach, PlacedGroup, PlacedNested } from "./place-steps.ts";

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
    return keep(step, { ...begun, items: items.length });
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
    return keep(step, { ...begun, ...endStep(run, { ...begun, step, error }) });
  };
}
