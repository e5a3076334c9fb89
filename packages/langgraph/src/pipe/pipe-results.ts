import { ToolrailError } from "@toolrail/core";
import {
  addStep,
  byId,
  concludePipe,
  enterNested,
  type PipeScope,
  toStepResult,
} from "@toolrail/core/adapter";
import type { PipeLimits, PipeResult, StepResult } from "@toolrail/core/pipe";
import { type KeptEnd, keptAt, type PipeState, withValue } from "./pipe-state.ts";
import { allSteps, type PlacedGroup, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

/** What results follow from: a pipe, the state of its graph, and what its steps see, the first one or a later one. */
export interface Reading {
  readonly pipe: PlacedPipe;
  readonly state: PipeState;
  readonly scope: PipeScope;
  readonly limits: PipeLimits;
  /** Results that were read before, by what is kept of their steps. */
  readonly read: WeakMap<object, StepResult>;
}

/** What a pipe comes to by its state. */
export function outcomeOf(reading: Reading): PipeResult {
  return concludePipe(reading.pipe, { limits: reading.limits, ...readSteps(reading) });
}

/** The results of the steps of a pipe, and what a step after them sees: up to one step, or all. */
export function readSteps(reading: Reading, before?: PlacedStep) {
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

/** A client of a LangGraph server may go to any node. */
function tooEarly({ path }: { readonly path: string }): ToolrailError {
  const message = `${path || "The end of the pipe"} is not next: a step before it has not ended, or has failed.`;
  return new ToolrailError("denied", message);
}

/** The results of the children of a group that have ended. */
export function childResults({ children }: PlacedGroup, reading: Reading) {
  return byId(children.flatMap((child) => resultOf(child, reading) ?? []));
}

/** The result of a step that has ended. */
function resultOf(step: PlacedStep, reading: Reading): StepResult | undefined {
  const kept = keptAt(reading.state, step);
  if (kept?.type !== "ended") return undefined;
  const result = reading.read.get(kept) ?? toResult(step, { ...reading, kept });
  reading.read.set(kept, result);
  return result;
}

function toResult(
  step: PlacedStep,
  { kept, ...reading }: Reading & { readonly kept: KeptEnd },
): StepResult {
  const { inner, hops = [], isDropped, ...end } = kept;
  if (isDropped) return toStepResult(step, end);
  if (step.kind === "tool") return toStepResult(step, { ...end, hops: hops.map(withValue) });
  if (step.kind === "parallel") {
    return toStepResult(step, { ...end, inner: { steps: childResults(step, reading) } });
  }
  const entry = enterNested(step, reading);
  if (!inner || "error" in entry) return toStepResult(step, end);
  const own = { ...reading, pipe: step.pipe, state: inner, ...entry };
  return toStepResult(step, { ...end, inner: outcomeOf(own) });
}
