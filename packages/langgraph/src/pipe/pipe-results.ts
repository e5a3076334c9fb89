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
import type { Reading } from "./pipe-run.ts";
import { readStep } from "./pipe-state.ts";
import { allSteps, groupsOf, type PlacedGroup, type PlacedStep } from "./place-steps.ts";

/** Reads the result of a pipe from its state. Throws `denied` if it has not ended. */
export function readOutcome(reading: Reading): PipeResult {
  const { variables, steps, isOver } = readSteps(reading);
  if (!isOver) throw tooEarly(reading.pipe);
  return concludePipe(reading.pipe, { limits: reading.run.limits, variables, steps });
}

/** Returns the variables of a step or part. Throws `denied` if it is not next: clients of a server can start any node. */
export function variablesAt(reading: Reading, step: PlacedStep): Variables {
  const { variables, next } = readSteps(reading);
  if (next === step) return variables;
  const groups = next?.kind === "parallel" ? groupsOf(next) : [];
  const around = groups.filter(({ children }) => allSteps(children).includes(step));
  const isOpen = ({ type }: { type?: string } = {}) => type === "begun";
  if (around.length > 0 && around.every((group) => isOpen(readStep(reading.state, group)))) {
    return variables;
  }
  throw tooEarly(step);
}

function readSteps(reading: Reading) {
  const { pipe } = reading;
  const steps: Record<string, StepResult> = {};
  let { variables } = reading;
  for (const step of pipe.steps) {
    const result = readResult(step, { ...reading, variables });
    if (!result) return { variables, steps, next: step, isOver: false };
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
export function joinParts({ children }: PlacedGroup, reading: Reading) {
  const { variables, run } = reading;
  const results = children.flatMap((part) => readResult(part, reading) ?? []);
  return joinResults(children, { results, variables, limits: run.limits });
}

/** Reads the result of a step from its stored entry. Returns `undefined` if it has not ended. */
function readResult(step: PlacedStep, reading: Reading): StepResult | undefined {
  const stored = readStep(reading.state, step);
  if (stored?.type !== "ended") return undefined;
  const { inner, ...end } = stored;
  if (step.kind === "tool") return toStepResult(step, end);
  if (step.kind === "parallel") {
    return toStepResult(step, { ...end, inner: joinParts(step, reading) });
  }
  const { variables, run } = reading;
  const entry = enterNested(step, { variables, limits: run.limits });
  if (!inner || "error" in entry) return toStepResult(step, end);
  const inside = { ...reading, ...entry, pipe: step.pipe, state: inner };
  return toStepResult(step, { ...end, inner: readOutcome(inside) });
}
