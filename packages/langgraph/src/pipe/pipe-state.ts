import { StateSchema } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core/json";
import type {
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  PipeResult,
  StepBegun,
  StepEnded,
} from "@toolrail/core/pipe";
import { z } from "zod";

/** The place of a step in a graph. */
interface Place {
  /** The name of its node. A group inside a group has none of its own. */
  readonly node: string;
  /** The channel of its stored entry. */
  readonly channel: string;
}

export type PlacedTool = CompiledToolStep & Place;

/** A nested pipe, which has a graph of its own. */
export interface PlacedNested extends Omit<CompiledNested, "pipe">, Place {
  readonly pipe: PlacedPipe;
}

/** A group. All calls and nested pipes in it, at any depth, are nodes that run side by side and lead to `join`. */
export interface PlacedGroup extends Omit<CompiledGroup, "children">, Place {
  readonly join: string;
  readonly children: readonly PlacedStep[];
}

export type PlacedStep = PlacedTool | PlacedNested | PlacedGroup;

export interface PlacedPipe extends Omit<CompiledPipe, "steps"> {
  readonly steps: readonly PlacedStep[];
}

/** Gives each step of a pipe its place, nested pipes included. */
export function placeSteps<Given extends CompiledPipe>(
  pipe: Given,
): Omit<Given, "steps"> & PlacedPipe {
  return { ...pipe, steps: pipe.steps.map((step) => placeStep(step)) };
}

function placeStep(step: CompiledStep, prefix = ""): PlacedStep {
  const name = prefix + escapeId(step.id);
  const place = { node: toNodeName(name), channel: `out_${name}` };
  if (step.kind === "tool") return { ...step, ...place };
  if (step.kind === "pipe") return { ...step, ...place, pipe: placeSteps(step.pipe) };
  const children = step.children.map((child) => placeStep(child, `${name}.`));
  return { ...step, ...place, join: `${name}/end`, children };
}

/** Keeps letters, digits, `-` and `_`. Escapes other characters, and the `_` of `_x`, with their number in hex. */
function escapeId(id: string): string {
  return id.replace(
    /_(?=x)|[^A-Za-z0-9_-]/gu,
    (char) => `_x${(char.codePointAt(0) ?? 0).toString(16)}_`,
  );
}

/** The names of nodes and channels that every graph has. */
const TAKEN = new Set([
  ...["begin", "finish", "run", "vars"],
  ...["ok", "error", "result", "result_for_model", "steps"],
]);

/** Adds a point, which no escaped id has, to names of other nodes, of channels and of LangGraph, which looks names up in an object with a prototype. */
function toNodeName(name: string): string {
  const isTaken = TAKEN.has(name) || /^(__|out_)/.test(name) || name in {};
  return isTaken ? `${name}.` : name;
}

/** Lists all steps of one graph, with groups before their parts. */
export function allSteps(steps: readonly PlacedStep[]): PlacedStep[] {
  return steps.flatMap((step) =>
    step.kind === "parallel" ? [step, ...allSteps(step.children)] : [step],
  );
}

/** Returns the super-steps that one pipe may take. Every step may wait for a person several times. */
export function findRecursionLimit({ steps }: PlacedPipe): number {
  return 25 + 24 * allSteps(steps).length;
}

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
  /** The run at the top, or the beginning of a nested pipe. */
  readonly run?: StoredRun | StepBegun | null;
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
