import { ToolrailError } from "@toolrail/core";
import {
  addStep,
  concludePipe,
  enterNested,
  joinResults,
  type PipeResult,
  type StepResult,
  toStepResult,
  type Variables,
} from "@toolrail/core/pipe";
import type { Reading } from "./pipe-engine.ts";
import { readStep, type StoredEnd } from "./pipe-state.ts";
import {
  allSteps,
  type PlacedGroup,
  type PlacedPart,
  type PlacedStep,
  stepApart,
} from "./place-steps.ts";

/** Reads the result of a pipe from its state. Throws `denied` if it has not ended. */
export function readOutcome(reading: Reading): PipeResult {
  const { variables, steps, isOver } = readSteps(reading);
  if (!isOver) throw tooEarly(reading.pipe);
  return concludePipe(reading.pipe, { limits: reading.limits, variables, steps });
}

/** Returns the variables of a step or part. Throws `denied` if it is not next: clients of a server can start any node. */
export function variablesAt(reading: Reading, step: PlacedStep | PlacedPart): Variables {
  const { variables, next } = readSteps(reading);
  if (!next || !allSteps([next]).includes(step)) throw tooEarly(step);
  const isPart = next !== step;
  if (isPart && readStep(reading.state, next)?.type !== "begun") throw tooEarly(step);
  return variables;
}

function readSteps(reading: Reading) {
  const { pipe, state } = reading;
  const steps: Record<string, StepResult> = {};
  let { variables } = reading;
  for (const step of pipe.steps) {
    const stored = readStep(state, step);
    if (stored?.type !== "ended") return { variables, steps, next: step, isOver: false };
    const result = readResult(step, { ...reading, variables, stored });
    steps[step.id] = result;
    variables = addStep(variables, result);
    if (!result.ok && !pipe.continueOnError) break;
  }
  return { variables, steps, next: undefined, isOver: true };
}

function tooEarly({ path }: { readonly path: string }): ToolrailError {
  const message = `${path || "The end of the pipe"} cannot run now: a step before it has not ended, or has failed.`;
  return new ToolrailError("denied", message);
}

/** Joins the results of the parts that have ended. */
export function joinParts(step: PlacedGroup, reading: Reading): ReturnType<typeof joinResults> {
  const results = step.children.flatMap((part) => {
    const stored = readStep(reading.state, part);
    return stored?.type === "ended" ? readResult(part, { ...reading, stored }) : [];
  });
  return joinResults(step.children, { ...reading, results });
}

type Ended = Reading & { readonly stored: StoredEnd };

function readResult(step: PlacedStep | PlacedPart, reading: Ended): StepResult {
  const { stored, shared } = reading;
  const result = shared.read.get(stored) ?? toResult(step, reading);
  shared.read.set(stored, result);
  return result;
}

function toResult(step: PlacedStep | PlacedPart, { stored, ...reading }: Ended): StepResult {
  const { inner, hops = [], ...end } = stored;
  if (step.kind === "tool") {
    return toStepResult(step, { ...end, hops });
  }
  if (step.kind === "parallel") {
    return toStepResult(step, { ...end, inner: joinParts(step, reading) });
  }
  const inside = { ...reading, pipe: step.pipe, state: inner ?? {} };
  if (step.kind === "apart") return toResult(stepApart(step), { ...inside, stored: end });
  const entry = enterNested(step, reading);
  if (!inner || "error" in entry) return toStepResult(step, end);
  return toStepResult(step, { ...end, inner: readOutcome({ ...inside, ...entry }) });
}
