import { Send } from "@langchain/langgraph";
import { openSteps, partsOf } from "./pipe-results.ts";
import { keptAt, type PipeState } from "./pipe-state.ts";
import { allSteps, type PlacedEach, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

/** A node to go to, or that of an item with its number. */
type Target = string | Send;
/** Where a graph goes on, by its state. */
export type Route = (state: PipeState) => Target | Target[];

/** The node that decides what is ready, in the order of the data. */
export const HUB = "schedule";

/**
 * Where the hub goes on: to all that is ready, at last to the end. It never runs beside another node, so that what
 * is not over does not run, whichever edges a process or an error has lost.
 */
export function toRoute(pipe: PlacedPipe, end: string): Route {
  return (state) => {
    const to = openSteps(pipe, state).flatMap((step) => targetsOf(step, state));
    return to.length > 0 ? to : end;
  };
}

/** The nodes that a step waits for. */
export function targetsOf(step: PlacedStep, state: PipeState): Target[] {
  const kept = keptAt(state, step);
  if (kept?.type === "ended") return [];
  if (!kept || step.kind === "tool") return [step.entry];
  const inside =
    step.kind === "parallel"
      ? step.children.flatMap((child) => targetsOf(child, state))
      : step.kind === "for_each"
        ? openItems(step, state)
        : [];
  return inside.length > 0 ? inside : [step.node];
}

/** The node of all items, once for each that is not over. */
function openItems(step: PlacedEach, state: PipeState): Send[] {
  const { parts, state: items } = partsOf(step, state);
  return parts.flatMap((part, at) => {
    return keptAt(items, part)?.type === "ended" ? [] : new Send(step.item, { at });
  });
}

/** All nodes of a step, and of those in a group. */
export function nodesOf(step: PlacedStep): string[] {
  const nodes = allSteps([step]).flatMap((one) => {
    return one.kind === "for_each" ? [one.entry, one.item, one.node] : [one.entry, one.node];
  });
  return [...new Set(nodes)];
}
