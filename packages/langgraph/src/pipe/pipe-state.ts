import { StateSchema } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core/json";
import type { CompiledPipe, CompiledStep, PipeResult, StepStage } from "@toolrail/core/pipe";
import { z } from "zod";

/** The place of a step in a graph. */
export interface Place {
  readonly step: CompiledStep;
  /** The name of its node. A group has a second one, `join`, to which its parts lead. */
  readonly node: string;
  readonly join: string;
  /** The channel of what its nodes write. */
  readonly channel: string;
  /** All calls and nested pipes in a group, at any depth: nodes that run side by side. */
  readonly parts: readonly Place[];
  /** The paths of a group and all groups in it, which begin and end together, or of the step alone. */
  readonly turns: readonly string[];
}

/** Gives a step of a graph its place. */
export function placeStep(step: CompiledStep, prefix = ""): Place {
  const name = prefix + escapeId(step.id);
  const children = step.kind === "parallel" ? step.children : [];
  const inside = children.map((child) => placeStep(child, `${name}.`));
  const groups = inside.filter(({ step: { kind } }) => kind === "parallel");
  return {
    step,
    node: toNodeName(name),
    join: `${name}/end`,
    channel: `out_${name}`,
    parts: inside.flatMap((place) => (groups.includes(place) ? place.parts : [place])),
    turns: [step.path, ...groups.flatMap(({ turns }) => turns)],
  };
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

/** The channel in which a nested pipe stores that it has begun. */
export const BEGUN = "out_/begin";

/** Returns the channels of a pipe's graph, with `run` for the run at the top. */
export function toChannels({ steps }: CompiledPipe) {
  const places = steps.map((step) => placeStep(step)).flatMap((place) => [place, ...place.parts]);
  const names = ["run", BEGUN, ...places.map(({ channel }) => channel)];
  return Object.fromEntries(names.map((name) => [name, z.unknown()]));
}

/** Returns the super-steps that one pipe may take. Every step may wait for a person several times. */
export function findRecursionLimit(pipe: CompiledPipe): number {
  return 25 + 24 * Object.keys(toChannels(pipe)).length;
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
  readonly run?: StoredRun | null;
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

/** Reads the progress of steps by their paths, which the nodes of a graph have stored. No approval is ever read from a state. */
export function readJournal(state: PipeState): [string, StepStage][] {
  const channels = Object.entries(state).filter(([name]) => name.startsWith("out_"));
  const stages = channels.flatMap(([, stored]) => Object.entries(Object(stored)));
  return (stages as [string, StepStage][]).filter(([, stage]) => STORED.has(stage?.type));
}

const STORED: ReadonlySet<unknown> = new Set(["begun", "ended"]);
