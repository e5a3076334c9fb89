import { StateSchema } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core/json";
import type { PipeResult, StepBegun, StepEnded } from "@toolrail/core/pipe";
import { z } from "zod";
import { allSteps, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

/** The input of the graph. A LangGraph server shows it as JSON Schema, like the output. */
export const Input = new StateSchema({ vars: z.record(z.string(), z.unknown()).nullish() });

const steps: unknown = z.record(z.string(), z.unknown());

/** The output of the graph. */
export const Output = new StateSchema({
  ok: z.boolean(),
  error: z.string(),
  result: z.unknown(),
  result_for_model: z.unknown(),
  steps: steps as z.ZodType<PipeResult["steps"]>,
});

/** The state of the graph around its own channels. */
export const State = new StateSchema({ ...Input.fields, ...Output.fields });

/** The state of one graph. Channels of an earlier run that were cleared are `null`. */
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

/** The stored entry of a step in its channel, from which its result follows. */
export type StoredStep = StepBegun | StoredEnd;

export interface StoredEnd extends StepEnded {
  /** The state of a nested pipe's graph at its end. */
  readonly inner?: PipeState;
}

/** Returns the channels of a pipe's graph: those of its steps, and `run`. */
export function toChannels({ steps }: PlacedPipe) {
  const names = ["run", ...allSteps(steps).map(({ channel }) => channel)];
  return Object.fromEntries(names.map((name) => [name, z.unknown()]));
}

export function readStep(state: PipeState, { channel }: PlacedStep): StoredStep | undefined {
  return (state[channel] as StoredStep | null | undefined) ?? undefined;
}
