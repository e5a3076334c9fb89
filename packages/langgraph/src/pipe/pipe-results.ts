import { ToolrailError } from "@toolrail/core";
import {
  addStep,
  byId,
  concludePipe,
  dropTooMuch,
  enterNested,
  type PipeScope,
  ranSteps,
  toStepResult,
} from "@toolrail/core/adapter";
import type { PipeLimits, PipeResult, StepResult } from "@toolrail/core/pipe";
import type { SharedRun } from "./pipe-engine.ts";
import { itemsAt, itemsOf, type KeptEnd, keptAt, type PipeState, wholeHops } from "./pipe-state.ts";
import {
  allSteps,
  type PlacedEach,
  type PlacedGroup,
  type PlacedPipe,
  type PlacedStep,
} from "./place-steps.ts";

/** What results follow from: a pipe, the state of its graph, and what its steps see, the first one or a later one. */
export interface Reading {
  readonly pipe: PlacedPipe;
  readonly state: PipeState;
  readonly scope: PipeScope;
  readonly limits: PipeLimits;
  readonly shared: SharedRun;
}

/** What a pipe comes to by its state. */
export function outcomeOf(reading: Reading): PipeResult {
  return concludePipe(reading.pipe, { limits: reading.limits, ...readSteps(reading) });
}

/** The results of the steps of a pipe, and what a step after them sees: up to one step, or all. */
export function readSteps(reading: Reading, before?: PlacedStep) {
  const { pipe } = reading;
  const steps: Record<string, StepResult> = {};
  let { scope } = reading;
  let mayBegin = true;
  for (const step of pipe.steps) {
    const kept = keptAt(reading.state, step);
    const isOver = kept?.type === "ended";
    if (before && allSteps([step]).includes(before)) {
      if (isOver || (!kept && !mayBegin)) throw tooEarly(before);
      return { scope, steps };
    }
    const result = resultOf(step, { ...reading, scope });
    if (!result) {
      if (kept || mayBegin) throw tooEarly(before ?? pipe);
      break;
    }
    steps[step.id] = result;
    scope = addStep(scope, result);
    mayBegin &&= result.ok || pipe.continueOnError;
  }
  if (before) throw tooEarly(before);
  return { scope, steps };
}

/** A client of a LangGraph server may go to any node. */
function tooEarly({ path }: { readonly path: string }): ToolrailError {
  const message = `${path || "The end of the pipe"} is not next: a step before it has not ended, or has failed.`;
  return new ToolrailError("denied", message);
}

/** The steps in a group or of a list, and the state that tells of them. */
export function partsOf(step: PlacedGroup | PlacedEach, state: PipeState) {
  if (step.kind === "parallel") return { parts: step.children, state };
  return { parts: itemsOf(state, step), state: itemsAt(state, step) };
}

/** The results of those that have ended, without those that are too much. */
export function partResults(step: PlacedGroup | PlacedEach, reading: Reading) {
  const { parts, state } = partsOf(step, reading.state);
  const isPiped = step.kind === "for_each" && step.body.kind === "pipe";
  const scopes = isPiped ? scopesOf(step, reading) : [];
  const results = parts.map((part, at) => {
    return resultOf(part, { ...reading, state, scope: scopes[at] ?? reading.scope });
  });
  const ended = byId(results.flatMap((result) => result ?? []));
  const ran = ranSteps(parts, ended).map(([part]) => part);
  return byId(dropTooMuch(ran, { ...reading, results: ended }));
}

/** What the items of a list see, by what the list itself sees. */
export function scopesOf(step: PlacedEach, reading: Reading): readonly PipeScope[] {
  const { state, shared } = reading;
  const list = keptAt(state, step) ?? step;
  const scopes = shared.scopes.get(list) ?? reading.scope.flow?.itemScopes(step, reading);
  if (scopes === undefined || typeof scopes === "string") return []; // Such a list has not begun.
  shared.scopes.set(list, scopes);
  return scopes;
}

/** The result of a step that has ended. */
function resultOf(step: PlacedStep, reading: Reading): StepResult | undefined {
  const kept = keptAt(reading.state, step);
  if (kept?.type !== "ended") return undefined;
  const { read } = reading.shared;
  const result = read.get(kept) ?? toResult(step, { ...reading, kept });
  read.set(kept, result);
  return result;
}

function toResult(
  step: PlacedStep,
  { kept, ...reading }: Reading & { readonly kept: KeptEnd },
): StepResult {
  const { inner, hops = [], ...end } = kept;
  const { shared } = reading;
  if (step.kind === "tool") return toStepResult(step, { ...end, hops: wholeHops(shared, hops) });
  if (step.kind === "parallel" || step.kind === "for_each") {
    return toStepResult(step, { ...end, inner: { steps: partResults(step, reading) } });
  }
  const entry = enterNested(step, reading);
  if (!inner || "error" in entry) return toStepResult(step, end);
  const own = { ...reading, pipe: step.pipe, state: inner, ...entry };
  return toStepResult(step, { ...end, inner: outcomeOf(own) });
}
