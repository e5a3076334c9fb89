import { Annotation } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core/json";
import type { PipeResult, StepBegun, StepEnded } from "@toolrail/core/pipe";
import { allSteps, type PlacedPart, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

export interface PipeState {
  /** The vars of the input, or `null` after the run has read them. */
  readonly vars?: JsonObject | null;
  /** The run at the top, or the stored entry of a nested pipe's own step. */
  readonly run?: StoredRun | StoredStep | null;
  readonly [channel: string]: unknown;
}

/** The facts of a run that a restarted process needs, with its `vars`. */
export interface StoredRun {
  readonly pipeId: string;
  /** A hash of the spec. */
  readonly spec: string;
  readonly startMs: number;
  readonly given: JsonObject;
}

/** The output of the graph. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: Annotation<unknown>,
  result_for_model: Annotation<unknown>,
  steps: Annotation<PipeResult["steps"]>,
});
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

export function toChannels({ steps }: Pick<PlacedPipe, "steps">) {
  const channels = allSteps(steps).map(({ channel }) => [channel, Annotation<unknown>]);
  const all = { run: Annotation<unknown>, ...Object.fromEntries(channels) };
  return all as Record<string, typeof Annotation<unknown>>;
}

/** The stored entry of a step in its channel, from which its result follows. */
export type StoredStep = StepBegun | StoredEnd;

export interface StoredEnd extends StepEnded {
  readonly inner?: PipeState;
}

export function readStep(
  state: PipeState,
  { channel }: Pick<PlacedStep | PlacedPart, "channel">,
): StoredStep | undefined {
  return (state[channel] as StoredStep | null | undefined) ?? undefined;
}
