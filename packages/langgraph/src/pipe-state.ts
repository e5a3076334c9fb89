import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  addStep,
  type ChainResult,
  createScope,
  type JsonObject,
  type PipePlan,
  type PipeResult,
  type PipeScope,
  type StepResult,
} from "@toolrail/core";
import type { PlacedStep } from "./pipe-names.ts";

/** The state of one pipe's graph: its input, its output, and a channel for each step. */
export interface PipeState {
  /** Those that are handed in; `null` when the run has taken them. */
  readonly vars?: JsonObject | null;
  /** The `vars` of this run. */
  readonly given?: JsonObject;
  /** Of the top level: what a restarted process must know. */
  readonly run?: { readonly pipeId: string; readonly startMs: number };
  readonly [channel: string]: unknown;
}

/** What the channel of a step holds; `null` where it has not run. */
export type Kept =
  | { readonly type: "result"; readonly ok: boolean; readonly result: StepResult }
  /** A large result, kept elsewhere under a key. */
  | { readonly type: "stored"; readonly ok: boolean; readonly key: string }
  /** A chain that waits for a person. */
  | { readonly type: "paused"; readonly chain: ChainResult }
  /** Left out, since the group with that channel may not run. */
  | { readonly type: "skipped"; readonly group: string; readonly why: string };

export type Node = (state: PipeState, config: LangGraphRunnableConfig) => Promise<PipeState>;

/** The steps of one pipe where they stand. */
export interface PlacedPipe {
  readonly plan: PipePlan;
  readonly placed: readonly PlacedStep[];
}

export function keptAt(state: PipeState, { channel }: PlacedStep): Kept | undefined {
  return (state[channel] as Kept | null | undefined) ?? undefined;
}

export function resultAt(state: PipeState, place: PlacedStep): StepResult | undefined {
  const kept = keptAt(state, place);
  return kept?.type === "result" ? kept.result : undefined;
}

/** True for a step that will not run again. */
export function isOver(state: PipeState, place: PlacedStep): boolean {
  const kept = keptAt(state, place);
  return kept !== undefined && kept.type !== "paused";
}

export function keep({ channel }: PlacedStep, kept: Kept): PipeState {
  return { [channel]: kept };
}

export function keepResult(place: PlacedStep, result: StepResult): PipeState {
  return keep(place, { type: "result", ok: result.ok, result });
}

/** The results of the steps of a list, in order, up to one of them. */
function resultsOf({ placed }: PlacedPipe, state: PipeState, before?: PlacedStep): StepResult[] {
  const top = before?.groups[0] ?? before;
  const end = top ? placed.indexOf(top) : placed.length;
  const steps = placed.slice(0, end).filter(({ groups }) => groups.length === 0);
  return steps.flatMap((place) => resultAt(state, place) ?? []);
}

/** All steps that ran, as the output has them. */
export function stepsOf(pipe: PlacedPipe, state: PipeState): PipeResult["steps"] {
  return Object.fromEntries(resultsOf(pipe, state).map((result) => [result.id, result]));
}

/** What a step sees; without a step, what `return` sees. */
export function scopeOf(pipe: PlacedPipe, state: PipeState, before?: PlacedStep): PipeScope {
  const scope = createScope(state.given ?? {});
  for (const result of resultsOf(pipe, state, before)) addStep(scope, result);
  return scope;
}
