import { beginStep, endStep, enterNested, expandItems, failureText } from "@toolrail/core/adapter";
import type { NodeContext, Work } from "./pipe-node.ts";
import { partResults, partsOf, readSteps, scopesOf } from "./pipe-results.ts";
import { itemsAt, itemsOf, type Kept, keep, keptAt } from "./pipe-state.ts";
import type { PlacedEach, PlacedGroup, PlacedStep, PlacedTool } from "./place-steps.ts";
import { type Nest, runNested } from "./run-nested.ts";
import { runTool, type Turn } from "./run-tool.ts";

/** Takes a step one turn further: a tool step runs or waits, any other begins, and at a later turn runs or ends. */
export function runStep(step: PlacedStep, nest: Nest): Work {
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    if (step.kind === "tool") return keep(step, await runTool(context, { step, scope, kept }));
    if (!kept) return keep(step, begin(context, { step, scope }));
    if (step.kind !== "pipe") return join(context, { step, scope });
    return keep(step, await runNested(context, { step, scope, kept, graph: nest(step) }));
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
    const turn = { scope: scopes[at] ?? context.scope, kept, isItem: true };
    const stage =
      step.kind === "tool"
        ? await runTool(context, { ...turn, step })
        : await runNested(context, { ...turn, step, graph: nest(step) });
    return { [list.items]: keep(step, stage) };
  };
}

/** Begins a step that holds others; it has ended already where it may not run. */
function begin(
  { run, limits }: NodeContext,
  { step, scope }: Turn<Exclude<PlacedStep, PlacedTool>>,
): Kept {
  const begun = beginStep(run, { step, scope });
  if (begun.type === "ended" || step.kind === "parallel") return begun;
  const refused = (error: string) => endStep(run, { ...begun, step, error });
  if (step.kind === "pipe") {
    const entry = enterNested(step, { scope, limits });
    return "error" in entry ? refused(entry.error) : begun;
  }
  const items = expandItems(run, { step, scope });
  return typeof items === "string" ? refused(items) : { ...begun, items: items.length };
}

/** Ends a group or a list when all that is in it has ended. */
function join(context: NodeContext, { step, scope }: Turn<PlacedGroup | PlacedEach>) {
  const { run, state } = context;
  const begun = keptAt(state, step);
  const { parts, state: inner } = partsOf(step, state);
  const isOver = parts.every((part) => keptAt(inner, part)?.type === "ended");
  if (begun?.type !== "begun" || !isOver) return {};
  const error = failureText(parts, partResults(step, { ...context, scope }));
  return keep(step, { ...begun, ...endStep(run, { ...begun, step, error }) });
}
