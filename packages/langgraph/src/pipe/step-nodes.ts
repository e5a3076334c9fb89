import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  createScope,
  endStep,
  enterNested,
  expandItems,
  failureText,
  findTooMuch,
  type PipeScope,
  resumeToolStep,
  runToolStep,
  type StepBegun,
  type StepStage,
  type ToolTurn,
  tooMuchText,
} from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import { countEarlier } from "./pipe-engine.ts";
import { type NodeContext, toNestedConfig, type Work } from "./pipe-node.ts";
import { outcomeOf, partResults, partsOf, readSteps } from "./pipe-results.ts";
import {
  itemsAt,
  type Kept,
  type KeptEnd,
  keep,
  keptAt,
  type PipeState,
  withValue,
} from "./pipe-state.ts";
import {
  type PlacedEach,
  type PlacedGroup,
  type PlacedNested,
  type PlacedTool,
  placeItems,
} from "./place-steps.ts";

const NOBODY = "it needs the approval of a person, and this graph has no checkpointer to wait with";

/** Runs a tool step. Where a call needs a person the node runs once more, and waits; no call is made again. */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const kept = keptAt(context.state, step);
    if (kept?.type === "ended") return {};
    const { scope } = readSteps(context, step);
    return keep(step, await goOn(context, { step, scope, kept }));
  };
}

/** What a tool step comes to from where it is. */
async function goOn(
  { run, config }: NodeContext,
  { kept, ...turn }: ToolTurn & { readonly kept: Kept | undefined },
): Promise<StepStage> {
  let stage: StepStage;
  if (kept?.type === "waiting") {
    const { startMs, chain } = kept;
    const { reason = NOBODY } = chain.pending ?? {};
    const deny = reason === NOBODY ? NOBODY : `${reason}, and ${NOBODY}`;
    const decision = (await askAbout(run.host, chain.pending)) ?? { deny };
    const whole = { ...chain, hops: chain.hops.map(withValue) };
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
    const { run, state, limits } = context;
    const begun = keptAt(state, step);
    const { parts, state: inner } = partsOf(step, state);
    const isReady = parts.every((part) => keptAt(inner, part)?.type === "ended");
    if (begun?.type !== "begun" || !isReady) return {};
    const { scope } = readSteps(context, step);
    const results = partResults(step, { ...context, scope });
    const dropped = findTooMuch(parts, { ...context, results, scope }).map((part) => {
      const { hops: _, inner: __, ...end } = keptAt(inner, part) as KeptEnd;
      return keep(part, { ...end, error: tooMuchText(limits, part), isDropped: true });
    });
    const changed: PipeState = Object.assign({}, ...dropped);
    const update = step.kind === "parallel" ? changed : { [step.items]: changed };
    const after = { ...inner, ...changed };
    const whole =
      step.kind === "parallel" ? { ...state, ...after } : { ...state, [step.items]: after };
    const kept = partResults(step, { ...context, state: whole, scope });
    const error = failureText(parts, kept);
    return { ...update, ...keep(step, endStep(run, { ...begun, step, error })) };
  };
}

/** The graph of a nested pipe, compiled. Its output is all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
}

/** A nested pipe as a graph, and the steps that it may take. */
export interface NestedRun {
  readonly graph: NestedGraph;
  readonly recursionLimit: number;
}

/** Runs a nested pipe, which has begun. Its result follows from its channels, also when it had ended before. */
export function runNested(step: PlacedNested, nested: NestedRun): Work {
  return async (context) => {
    const begun = keptAt(context.state, step);
    if (begun?.type !== "begun") return {};
    const before = readSteps(context, step);
    const entry = enterNested(step, { ...context, ...before });
    if ("error" in entry) return {}; // `begin` has ended such a step.
    return keep(step, await runInside(context, { ...nested, ...entry, step, begun }));
  };
}

async function runInside(
  context: NodeContext,
  nested: NestedRun & {
    readonly step: PlacedNested;
    readonly scope: PipeScope;
    readonly begun: StepBegun;
  },
): Promise<KeptEnd> {
  const { run, config, shared } = context;
  const { graph, recursionLimit, step, scope, begun } = nested;
  const { pipe } = step;
  const own = toNestedConfig(config, { pipe, shared, scope, recursionLimit });
  const inner = await graph.invoke({}, own);
  // Where it had ended before the process was lost, no node of it has counted its steps.
  countEarlier(shared, { pipe, state: inner });
  const { error } = outcomeOf({ ...context, pipe, state: inner, scope });
  return { ...endStep(run, { ...begun, step, error }), inner };
}

/** Runs one item of a list, by what its node was handed alone. */
export function runItem(step: PlacedEach, toNested: (item: PlacedNested) => NestedRun): Work {
  return async (context) => {
    const { run, state } = context;
    const own = itemsAt(state, step);
    const item = placeItems(step, Number(state.at) + 1).at(-1);
    const kept = item && keptAt(own, item);
    if (kept?.type !== "open" && kept?.type !== "waiting") return {};
    const { scope = createScope({}) } = kept;
    const made = kept.type === "open" ? { args: kept.args, sources: kept.sources } : {};
    if (item?.kind === "tool") {
      const stage = await goOn(context, { step: item, scope, ...made, kept, isItem: true });
      return { [step.items]: keep(item, stage.type === "waiting" ? { ...stage, scope } : stage) };
    }
    if (!item) return {};
    const begun = beginStep(run, { step: item, scope, isItem: true });
    const end =
      begun.type === "ended"
        ? begun
        : await runInside(context, { ...toNested(item), step: item, scope, begun });
    return { [step.items]: keep(item, end) };
  };
}
