import { messageOf } from "../../json/plain-text.ts";
import type { CompiledPipe, CompiledStep, PipeLimits } from "../pipe.ts";
import {
  byId,
  type PipeResult,
  type StepResult,
  type StepResults,
  showStep,
  weighStep,
} from "../variables/results.ts";
import { readCovered, resolveValue, type Variables } from "../variables/variables.ts";

/** Creates the result of a pipe that has ended, from the results of its steps and the last variables. */
export function concludePipe(
  pipe: CompiledPipe,
  { steps, variables, limits }: { steps: StepResults; variables: Variables; limits: PipeLimits },
): PipeResult {
  const { path, returns } = pipe;
  /** Reads the value that `return` selects, or the output of the last step. */
  const select = (own: Variables): unknown => {
    const bounds = { variables: own, maxBytes: limits.maxKeptBytes };
    if (returns !== undefined) return resolveValue(returns, bounds);
    return (own.last && readOutput(showStep(own.last))) ?? null;
  };
  const failed = (error: string) => ({ ok: false, error, result: null, steps });
  const failure = failureText(pipe.steps, steps);
  const isStopped = pipe.steps.length > Object.keys(steps).length;
  if (failure !== "" && (isStopped || !pipe.continueOnError)) return failed(failure);
  try {
    const result = select(variables);
    const end = { ok: failure === "", error: failure, result, steps };
    // A tool's own result is shown even if it repeats a hidden argument.
    const shown = readCovered(variables, select);
    const isAll = shown === undefined || JSON.stringify(shown) === JSON.stringify(result);
    return isAll ? end : { ...end, result_for_model: shown };
  } catch (cause) {
    const place = path === "" ? "return" : `${path}.return`;
    return failed(`${failure && `${failure}; `}${place}: ${messageOf(cause)}`);
  }
}

/** Returns the output of a step, without its calls and times. */
function readOutput(step: StepResult): unknown {
  if (step.kind === "tool") return step.structured ?? step.text;
  if (step.kind === "pipe") return step.result;
  const children = Object.entries(step.children);
  return Object.fromEntries(children.map(([id, child]) => [id, readOutput(child)]));
}

/** Joins the results of steps that ran side by side. Drops those that are too large, in the order of the spec and not of the answers. */
export function joinResults(
  steps: readonly CompiledStep[],
  {
    results,
    variables,
    limits,
  }: { results: readonly StepResult[]; variables: Variables; limits: PipeLimits },
): { readonly steps: StepResults; readonly error: string } {
  let { keptBytes } = variables;
  const kept = ranSteps(steps, byId(results)).map(([step, result]) => {
    const weight = weighStep(result);
    if (keptBytes + weight > limits.maxKeptBytes) {
      const text = tooMuchText(limits);
      const error = step.kind === "tool" ? text : `${step.path}: ${text}`;
      return { ...result, ok: false, error, ...NOTHING[result.kind] } as StepResult;
    }
    keptBytes += weight;
    return result;
  });
  const joined = byId(kept);
  return { steps: joined, error: failureText(steps, joined) };
}

const NOTHING = {
  tool: { structured: null, text: "", hops: [] },
  parallel: { children: {} },
  pipe: { result: null, result_for_model: undefined, steps: {} },
};

/** Writes the error of a step whose results are dropped. */
export function tooMuchText({ maxKeptBytes }: PipeLimits): string {
  return `The results of this pipe exceed ${maxKeptBytes} bytes (limits.maxKeptBytes); this step's were dropped.`;
}

/** Lists all failures among steps with their paths. Groups and nested pipes list the paths inside them. */
function failureText(steps: readonly CompiledStep[], results: StepResults): string {
  const texts = ranSteps(steps, results).flatMap(([{ kind, path }, { ok, error }]) => {
    if (ok) return [];
    return kind === "tool" ? `${path}: ${error}` : error;
  });
  return texts.join("; ");
}

/** Lists the steps that ran, each with its result, in the order of the spec. */
function ranSteps(
  steps: readonly CompiledStep[],
  results: StepResults,
): [CompiledStep, StepResult][] {
  return steps.flatMap((step) => {
    const result = Object.hasOwn(results, step.id) ? results[step.id] : undefined;
    return result ? [[step, result] as [CompiledStep, StepResult]] : [];
  });
}
