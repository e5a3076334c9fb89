import { joinKey, shorten } from "@toolrail/json";
import { INNER, innerResults, type PipeResult, type StepResults } from "../run/results.ts";

/** A failed step as a model reads it. */
export interface FailedStep {
  readonly path: string;
  readonly error: string;
}

/** What a model reads of a run: never the output of each step. */
export interface PipeReply extends Pick<PipeResult, "ok" | "error" | "result"> {
  /** The steps that failed. Left out if `error` says all of it. */
  readonly failed?: readonly FailedStep[];
}

const MAX_ERROR = 2_000;
/** Of all failed steps together. */
const MAX_FAILED = 8_000;

/** The small reply of `mcp_pipe`. The application keeps the whole result. */
export function toPipeReply({ ok, error, steps, ...values }: PipeResult): PipeReply {
  const { result, result_for_model: shown = result } = values;
  const all = failedSteps(steps);
  const most = Math.min(MAX_ERROR, Math.floor(MAX_FAILED / all.length));
  const failed = all.map(({ path, error: why }) => {
    return { path: shorten(path, 400), error: shorten(why, most) };
  });
  const reply = { ok, error: shorten(error, MAX_ERROR), result: shown };
  return all.every((step) => reply.error.includes(step.error)) ? reply : { ...reply, failed };
}

/** The tool steps that failed, and the nested pipes whose own `vars` or `return` did, in order. */
function failedSteps(results: StepResults, path = "steps"): FailedStep[] {
  return Object.values(results).flatMap((step) => {
    if (step.ok) return [];
    const own = { path: joinKey(path, step.id), error: step.error };
    if (step.kind === "tool") return own;
    const inner = failedSteps(innerResults(step), `${own.path}.${INNER[step.kind]}`);
    return inner.length > 0 ? inner : own;
  });
}
