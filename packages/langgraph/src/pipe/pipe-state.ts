import { Annotation, UntrackedValueChannel } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/json";
import type { PipeResult } from "@toolrail/pipe";
import type { StepBegun, StepEnded, StepWaiting } from "@toolrail/pipe/engine";
import {
  allSteps,
  type PlacedEach,
  type PlacedHolder,
  type PlacedPart,
  type PlacedPipe,
  type PlacedStep,
  placeItems,
} from "./place-steps.ts";

/** The state of one pipe's graph: a channel for each step, and one for the run. */
export interface PipeState {
  /** Those that are handed in; `null` when the run has taken them. */
  readonly vars?: JsonObject | null;
  /** At the top, what a restarted process must know; of a nested pipe, how far it has come itself. */
  readonly run?: KeptRun | Kept | null;
  /** Sent to a node that a state cannot be handed to: the number of an item, or -1. */
  readonly at?: number;
  readonly [channel: string]: unknown;
}

/** The state that a restarted process needs of a run, with the `vars` that were given for it. */
export interface KeptRun {
  readonly pipeId: string;
  /** A hash of the spec. */
  readonly spec: string;
  readonly startMs: number;
  readonly given: JsonObject;
  readonly mac?: string;
}

/** The output of the contract. What follows from the channels of the steps is in no checkpoint. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: new UntrackedValueChannel<unknown>({ guard: false }),
  result_for_model: new UntrackedValueChannel<unknown>({ guard: false }),
  steps: new UntrackedValueChannel<PipeResult["steps"]>({ guard: false }),
});
/** What a pipe's graph takes. */
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
/** What it holds, but for the channels of its steps and of the run. */
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

/** The channels of one graph: of the run, and of its steps. */
export function toChannels({ steps }: Pick<PlacedPipe, "steps">) {
  const channels = allSteps(steps).flatMap((step) => {
    const own = [[step.channel, Annotation<unknown>]];
    return step.kind === "for_each" ? [...own, [step.items, Items()]] : own;
  });
  const all = { run: Annotation<unknown>, ...Object.fromEntries(channels) };
  return all as Record<string, typeof Annotation<unknown>>;
}

/** How far the items of a list have come. Each writes its own; a new run clears all. */
function Items() {
  return Annotation<PipeState>({
    reducer: (before, update) => (update === null ? {} : { ...before, ...update }),
    default: () => ({}),
  });
}

/** What the channel of a step holds: how far it has come, from which its result follows. */
export type Kept = (KeptBegin | StepWaiting | KeptEnd) & { readonly mac?: string };

/** The beginning of a step; of a list with the number of its items. */
export interface KeptBegin extends StepBegun {
  readonly items?: number;
}

/** The end of a step; of one that is a graph of its own, with the channels of that. */
export interface KeptEnd extends StepEnded, Pick<KeptBegin, "items"> {
  readonly inner?: PipeState;
}

export function keptAt(
  state: PipeState,
  { channel }: Pick<PlacedStep | PlacedPart, "channel">,
): Kept | undefined {
  return (state[channel] as Kept | null | undefined) ?? undefined;
}

/** How far the items of a list have come: the state of which they are the steps. */
export function itemsAt(state: PipeState, step: PlacedEach): PipeState {
  return (state[step.items] as PipeState | null | undefined) ?? {};
}

/** The parts of a group, or the items of a list that has begun, and the state that tells of them. */
export function partsOf(
  step: PlacedHolder,
  state: PipeState,
): { readonly parts: readonly PlacedPart[]; readonly state: PipeState } {
  if (step.kind === "parallel") return { parts: step.children, state };
  const kept = keptAt(state, step);
  const parts = placeItems(step, kept && "items" in kept ? (kept.items ?? 0) : 0);
  return { parts, state: itemsAt(state, step) };
}
