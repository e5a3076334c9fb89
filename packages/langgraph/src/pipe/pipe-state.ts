import type { Hop, JsonObject } from "@toolrail/core";
import type { StepBegun, StepEnded, StepWaiting } from "@toolrail/core/adapter";
import type { PlacedStep } from "./place-steps.ts";

/** The state of one pipe's graph: a channel for each step, and at the top the input and the run. */
export interface PipeState {
  /** Those that are handed in; `null` when the run has taken them. */
  readonly vars?: JsonObject | null;
  /** What a restarted process must know, with the `vars` that were given for this run. */
  readonly run?: {
    readonly pipeId: string;
    /** A hash of the spec. */
    readonly spec: string;
    readonly startMs: number;
    readonly given: JsonObject;
  };
  readonly [channel: string]: unknown;
}

/** What the channel of a step holds: how far it has come, from which its result follows. */
export type Kept = (StepBegun | StepWaiting | KeptEnd) & { readonly seal?: string };

/** The end of a step; of a nested pipe with its channels. */
export interface KeptEnd extends StepEnded {
  readonly inner?: PipeState;
  /** True where its results, and those of the steps in it, were too much to keep. */
  readonly isDropped?: boolean;
}

export function keptAt(state: PipeState, { channel }: PlacedStep): Kept | undefined {
  return (state[channel] as Kept | null | undefined) ?? undefined;
}

/** The update that keeps how far a step has come: errors are no data, and a raw result is kept once. */
export function keep({ channel }: PlacedStep, stage: Kept): PipeState {
  if (stage.type === "begun") return { [channel]: stage };
  if (stage.type === "ended") {
    const { hops } = stage;
    return { [channel]: { ...stage, ...(hops && { hops: hops.map(withoutValue) }) } };
  }
  const { error: _, ...chain } = stage.chain;
  return { [channel]: { ...stage, chain: { ...chain, hops: chain.hops.map(withoutValue) } } };
}

/** A hop whose checked value is its raw result keeps that alone. */
function withoutValue(hop: Hop): Hop {
  const { output, result } = hop;
  if (output.status !== "valid" || output.value !== result.structuredContent) return hop;
  return { ...hop, output: { status: "valid" } as Hop["output"] };
}

/** The hop as it was before it was kept. */
export function withValue(hop: Hop): Hop {
  const { output, result } = hop;
  if (output.status !== "valid" || "value" in output) return hop;
  return { ...hop, output: { status: "valid", value: result.structuredContent } };
}
