import { weigh } from "../../json/json.ts";
import { modelText } from "../../result/content-block.ts";
import { type Hop, isLeftOut } from "../../result/hop.ts";
import type {
  CompiledStep,
  PipeResult,
  StepEnded,
  StepNames,
  StepResult,
  StepResults,
  ToolStepResult,
} from "../types.ts";

export function byId(results: readonly StepResult[]): StepResults {
  return Object.fromEntries(results.map((result) => [result.id, result]));
}

/** Lists the steps that ran, each with its result, in the order of the spec. */
export function ranSteps<Step extends Pick<CompiledStep, "id">>(
  steps: readonly Step[],
  results: StepResults,
): (readonly [Step, StepResult])[] {
  return steps.flatMap((step) => {
    const result = Object.hasOwn(results, step.id) ? results[step.id] : undefined;
    return result ? [[step, result] as const] : [];
  });
}

/** The field with the results of the inner steps, by the kind of a step. */
export const INNER = { parallel: "children", pipe: "steps" } as const;

/** Returns the results of the steps inside a group or a nested pipe. */
export function innerResults(result: StepResult): StepResults {
  if (result.kind === "tool") return {};
  return result.kind === "pipe" ? result.steps : result.children;
}

export function toolResults(result: StepResult): readonly ToolStepResult[] {
  return result.kind === "tool"
    ? [result]
    : Object.values(innerResults(result)).flatMap(toolResults);
}

export function mapInner(result: StepResult, map: (inner: StepResult) => StepResult): StepResult {
  if (result.kind === "tool") return result;
  const inner = byId(Object.values(innerResults(result)).map(map));
  return result.kind === "pipe" ? { ...result, steps: inner } : { ...result, children: inner };
}

/** Creates the result of a step from the result of its tool or of its inner steps. */
export function toStepResult(
  { id, kind }: Pick<CompiledStep, "id" | "kind">,
  end: StepEnded & { readonly inner?: Partial<PipeResult> },
): StepResult {
  const { error, startMs, elapsedMs, hops = [], inner = {} } = end;
  const duration_ms = Math.round(elapsedMs * 100) / 100;
  const started_at = new Date(startMs).toISOString();
  const outcome = { id, ok: error === "", error, started_at, duration_ms };
  const { steps = {}, result = null, result_for_model } = inner;
  if (kind === "parallel") return { ...outcome, kind, children: steps };
  if (kind === "pipe") {
    const shown = result_for_model === undefined ? {} : { result_for_model };
    return { ...outcome, kind, result, ...shown, steps };
  }
  const hop = hops[0];
  const last = hop && !isLeftOut(hop) ? hop.result : undefined;
  const structured = last?.structuredContent ?? null;
  return { ...outcome, kind, structured, text: last ? modelText(last) : "", hops };
}

/** Lists all failures among steps with their paths. Groups and nested pipes list the paths inside them. */
export function failureText(steps: readonly StepNames[], results: StepResults): string {
  const texts = ranSteps(steps, results).flatMap(([{ kind, path }, { ok, error }]) => {
    if (ok) return [];
    return kind === "tool" ? `${path}: ${error}` : error;
  });
  return texts.join("; ");
}

/** Computes the bytes of a step's results, including its inner steps. */
export function weighStep(step: StepResult): number {
  return toolResults(step).reduce((sum, { hops }) => sum + weighHops(hops), 0);
}

const weights = new WeakMap<readonly Hop[], number>();

/** Computes the bytes of the results of calls. Returns infinity if they are nested too deep to store. */
export function weighHops(hops: readonly Hop[]): number {
  const known = hops.length === 0 ? 0 : weights.get(hops);
  if (known !== undefined) return known;
  const results = hops.map(({ result }) => result);
  const weight = weigh(results, { maxBytes: Number.POSITIVE_INFINITY, maxDepth: 256 });
  const bytes = typeof weight === "number" ? weight : Number.POSITIVE_INFINITY;
  weights.set(hops, bytes);
  return bytes;
}
