import { ToolrailError } from "@toolrail/core";
import {
  addStep,
  addSteps,
  byId,
  concludePipe,
  dropTooMuch,
  enterNested,
  inSequence,
  itemScopes,
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
  if (reading.pipe.sequence) return readByData(reading, before);
  let { scope } = reading;
  const results: StepResult[] = [];
  for (const step of reading.pipe.steps) {
    if (before && allSteps([step]).includes(before)) break;
    const result = resultOf(step, { ...reading, scope });
    if (!result) throw tooEarly(before ?? reading.pipe);
    results.push(result);
    scope = addStep(scope, result);
    if (result.ok || reading.pipe.continueOnError) continue;
    if (before) throw tooEarly(before);
    break;
  }
  return { scope, steps: byId(results) };
}

/** The same in the order of the data, where a step sees those that it needs. */
function readByData(reading: Reading, before?: PlacedStep) {
  const { pipe, state, limits, scope } = reading;
  const results: Record<string, StepResult> = {};
  for (const step of inSequence(pipe)) {
    const seen = addSteps(scope, { pipe, results, ids: step.needs });
    if (before && allSteps([step]).includes(before)) {
      const isReady = keptAt(state, step) || mayBegin(pipe, { step, state });
      if (!isReady) throw tooEarly(before);
      return { scope: seen, steps: results };
    }
    const result = resultOf(step, { ...reading, scope: seen });
    if (result) results[step.id] = result;
  }
  const ran = ranSteps(pipe.steps, results).map(([step]) => step);
  const isOver = ran.length === pipe.steps.length || !pipe.continueOnError;
  if (!isOver) throw tooEarly(pipe);
  const steps = byId(dropTooMuch(ran, { results, scope, limits }));
  return { scope: addSteps(scope, { pipe, results: steps }), steps };
}

/** True where a step has what it needs, and no failure before it keeps it from beginning. */
export function mayBegin(
  pipe: PlacedPipe,
  { step, state }: { readonly step: PlacedStep; readonly state: PipeState },
): boolean {
  const steps = inSequence(pipe);
  const isOver = (id: string) => steps.some((one) => one.id === id && endAt(state, one));
  const hasFailed = (one: PlacedStep) => Boolean(endAt(state, one)?.error);
  const before = steps.slice(0, steps.indexOf(step));
  return step.needs.every(isOver) && (pipe.continueOnError || !before.some(hasFailed));
}

function endAt(state: PipeState, step: PlacedStep): KeptEnd | undefined {
  const kept = keptAt(state, step);
  return kept?.type === "ended" ? kept : undefined;
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

/** The results of those that have ended. */
export function partResults(step: PlacedGroup | PlacedEach, reading: Reading) {
  const { parts, state } = partsOf(step, reading.state);
  const isPiped = step.kind === "for_each" && step.body.kind === "pipe";
  const scopes = isPiped ? itemScopes(step, reading) : undefined;
  const results = parts.map((part, at) => {
    const scope = (Array.isArray(scopes) ? scopes[at] : undefined) ?? reading.scope;
    return resultOf(part, { ...reading, state, scope });
  });
  return byId(results.flatMap((result) => result ?? []));
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
  const { inner, hops = [], isDropped, ...end } = kept;
  if (isDropped) return toStepResult(step, end);
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
