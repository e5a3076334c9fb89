import {
  beginStep,
  endStep,
  enterNested,
  expandItems,
  failureText,
  resumeToolStep,
  runToolStep,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import type { NodeContext, Turn, Work } from "./pipe-node.ts";
import { partResults, partsOf, readSteps, scopesOf } from "./pipe-results.ts";
import { itemsAt, itemsOf, type Kept, keptAt, wholeHops } from "./pipe-state.ts";
import type { PlacedEach, PlacedGroup, PlacedStep, PlacedTool } from "./place-steps.ts";
import { type Nest, runNested } from "./run-nested.ts";

/** Takes a step one turn further: a tool step runs or waits, any other begins, and at a later turn runs or ends. */
export function runStep(step: PlacedStep, nest: Nest): Work {
  const { channel } = step;
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    if (step.kind === "tool") return { [channel]: await runTool(context, { step, scope, kept }) };
    if (!kept) return { [channel]: begin(context, { step, scope }) };
    if (step.kind !== "pipe") return join(context, { step, scope });
    return { [channel]: await runNested(context, { step, scope, kept, graph: nest(step) }) };
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
    return { [list.items]: { [step.channel]: stage } };
  };
}

/** Runs a tool step. Where a call needs a person its node runs once more, and waits; no call is made again. */
async function runTool(
  { run, config, shared }: NodeContext,
  { kept, ...turn }: Turn<PlacedTool>,
): Promise<Kept> {
  let stage: Kept;
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

const NOBODY = "it needs a person's approval, and this graph has no checkpointer to wait with";

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
  return { [step.channel]: { ...begun, ...endStep(run, { ...begun, step, error }) } };
}
