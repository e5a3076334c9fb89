import { isLeftOut, modelText } from "@toolrail/core/adapter";
import type { CompiledStep, StepNames } from "../compile/compiled-pipe.ts";
import { type PipeResult, ranSteps, type StepResult, type StepResults } from "./results.ts";
import type { StepEnded } from "./step-stage.ts";

/** The result of a step: what its own tool brought, or the steps inside it. */
export function toStepResult(
  { id, kind, when }: Pick<CompiledStep, "id" | "kind" | "when">,
  end: StepEnded & { readonly inner?: Partial<PipeResult> },
): StepResult {
  const { error, startMs, elapsedMs, hops = [], skipped = false, inner = {} } = end;
  const duration_ms = Math.round(elapsedMs * 100) / 100;
  const started_at = new Date(startMs).toISOString();
  const told = when === undefined ? {} : { skipped };
  const outcome = { id, ok: error === "", error, started_at, duration_ms, ...told };
  const { steps = {}, result = null, result_for_model } = inner;
  if (kind === "parallel") return { ...outcome, kind, children: steps };
  if (kind === "for_each") return { ...outcome, kind, items: Object.values(steps) };
  if (kind === "pipe") {
    const shown = result_for_model === undefined ? {} : { result_for_model };
    return { ...outcome, kind, result, ...shown, steps };
  }
  const hop = hops[0];
  const last = hop && !isLeftOut(hop) ? hop.result : undefined;
  const structured = last?.structuredContent ?? null;
  return { ...outcome, kind, structured, text: last ? modelText(last) : "", hops };
}

/** All failures among steps, each with its path: groups and nested pipes name the paths inside them. */
export function failureText(steps: readonly StepNames[], results: StepResults): string {
  const texts = ranSteps(steps, results).flatMap(([{ kind, path }, { ok, error }]) => {
    if (ok) return [];
    return kind === "tool" ? `${path}: ${error}` : error;
  });
  return texts.join("; ");
}
