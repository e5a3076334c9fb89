import {
  beginStep,
  endStep,
  failureText,
  type PipeRun,
  resumeToolStep,
  runToolStep,
  type StepBegun,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import type { NodeContext, Turn, Work } from "./pipe-node.ts";
import { partResults, partsOf, readSteps, scopesOf } from "./pipe-results.ts";
import { itemsAt, itemsOf, type Kept, keptAt, wholeHops } from "./pipe-state.ts";
import type { PlacedEach, PlacedGroup, PlacedStep, PlacedTool } from "./place-steps.ts";
import { type Nest, runNested } from "./run-nested.ts";

/** Runs a step where it stands in its graph. */
export function runStep(step: PlacedStep, nest: Nest): Work {
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    const stage = await takeTurn(context, { step, scope, kept, nest });
    return stage ? { [step.channel]: stage } : {};
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
    const { [at]: scope = context.scope } = scopes;
    const stage = await takeTurn(context, { step, scope, kept, nest, isItem: true });
    return stage ? { [list.items]: { [step.channel]: stage } } : {};
  };
}

/** Takes a step one turn further: a tool step runs or waits; any other begins, and later runs, or ends with what is in it. */
async function takeTurn(
  context: NodeContext,
  { nest, ...turn }: Turn<PlacedStep> & { readonly nest: Nest },
): Promise<Kept | undefined> {
  const { step, kept } = turn;
  if (step.kind === "tool") return runTool(context, { ...turn, step });
  if (kept?.type !== "begun") return begin(context.run, { ...turn, step });
  if (step.kind !== "pipe") return join(context, { ...turn, step, begun: kept });
  return runNested(context, { ...turn, step, begun: kept, graph: nest(step) });
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
function begin(run: PipeRun, { step, ...turn }: Turn<Exclude<PlacedStep, PlacedTool>>): Kept {
  const begun = beginStep(run, { step, ...turn });
  if (begun.type === "ended" || step.kind !== "for_each") return begun;
  const items = turn.scope.flow?.expandItems(run, { step, ...turn }) ?? [];
  if (typeof items === "string") return endStep(run, { ...begun, step, error: items });
  return { ...begun, items: items.length };
}

/** Ends a group or a list when all that is in it has ended. */
function join(
  context: NodeContext,
  { step, scope, begun }: Turn<PlacedGroup | PlacedEach> & { readonly begun: StepBegun },
): Kept | undefined {
  const { parts, state } = partsOf(step, context.state);
  if (!parts.every((part) => keptAt(state, part)?.type === "ended")) return undefined;
  const error = failureText(parts, partResults(step, { ...context, scope }));
  return { ...begun, ...endStep(context.run, { ...begun, step, error }) };
}
