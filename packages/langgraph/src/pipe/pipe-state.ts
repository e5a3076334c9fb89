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

export interface PipeState {
  /** The vars of the input, or `null` after the run has read them. */
  readonly vars?: JsonObject | null;
  /** The run at the top, or the stored entry of a nested pipe's own step. */
  readonly run?: StoredRun | StoredStep | null;
  /** The number of the item that LangGraph sends to its node, or -1 for a step that is sent again. */
  readonly at?: number;
  readonly [channel: string]: unknown;
}

/** The facts of a run that a restarted process needs, with its `vars`. */
export interface StoredRun {
  readonly pipeId: string;
  /** A hash of the spec. */
  readonly spec: string;
  readonly startMs: number;
  readonly given: JsonObject;
  readonly mac?: string;
}

/** The output of the graph. Checkpoints leave out the fields that follow from the channels of the steps. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: new UntrackedValueChannel<unknown>({ guard: false }),
  result_for_model: new UntrackedValueChannel<unknown>({ guard: false }),
  steps: new UntrackedValueChannel<PipeResult["steps"]>({ guard: false }),
});
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

export function toChannels({ steps }: Pick<PlacedPipe, "steps">) {
  const channels = allSteps(steps).flatMap((step) => {
    const stepChannel = [[step.channel, Annotation<unknown>]];
    return step.kind === "for_each" ? [...stepChannel, [step.items, Items()]] : stepChannel;
  });
  const all = { run: Annotation<unknown>, ...Object.fromEntries(channels) };
  return all as Record<string, typeof Annotation<unknown>>;
}

/** Creates the channel for the items of a list. Each item writes its own entry, and a new run clears all. */
function Items() {
  return Annotation<PipeState>({
    reducer: (before, update) => (update === null ? {} : { ...before, ...update }),
    default: () => ({}),
  });
}

/** The stored entry of a step in its channel, from which its result follows. */
export type StoredStep = (StoredBegin | StepWaiting | StoredEnd) & { readonly mac?: string };

export interface StoredBegin extends StepBegun {
  readonly items?: number;
}

export interface StoredEnd extends StepEnded, Pick<StoredBegin, "items"> {
  readonly inner?: PipeState;
}

export function readStep(
  state: PipeState,
  { channel }: Pick<PlacedStep | PlacedPart, "channel">,
): StoredStep | undefined {
  return (state[channel] as StoredStep | null | undefined) ?? undefined;
}

export function readItems(state: PipeState, step: PlacedEach): PipeState {
  return (state[step.items] as PipeState | null | undefined) ?? {};
}

/** Returns the parts of a group, or the items of a list that has begun, and the state that has their entries. */
export function readParts(
  step: PlacedHolder,
  state: PipeState,
): { readonly parts: readonly PlacedPart[]; readonly state: PipeState } {
  if (step.kind === "parallel") return { parts: step.children, state };
  const stored = readStep(state, step);
  const parts = placeItems(step, stored && "items" in stored ? (stored.items ?? 0) : 0);
  return { parts, state: readItems(state, step) };
}
