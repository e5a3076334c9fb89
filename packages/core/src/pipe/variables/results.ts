import { parseJsonText, weigh } from "../../json/json.ts";
import { isForUserAlone, modelText } from "../../result/call-tool-result.ts";
import type { Hop } from "../../result/hop.ts";
import type { CompiledStep } from "../pipe.ts";
import type { PausedPipe } from "../run/run-pipe.ts";
import type { StepEnded } from "../run/tool-step.ts";
import type { PipeProblem } from "../spec/spec.ts";

interface StepOutcome {
  readonly id: string;
  readonly ok: boolean;
  /** Empty if `ok`. */
  readonly error: string;
  /** The start as an ISO 8601 text. */
  readonly started_at: string;
  readonly duration_ms: number;
}

export interface ToolStepResult extends StepOutcome {
  readonly kind: "tool";
  /** The `structuredContent` of the step's own tool, or null if there is none. */
  readonly structured: unknown;
  /** The texts of that tool's result that a model may read, one per line. */
  readonly text: string;
  /** The call and all calls that followed from it. */
  readonly hops: readonly Hop[];
}

export interface GroupResult extends StepOutcome {
  readonly kind: "parallel";
  readonly children: StepResults;
}

export interface NestedResult extends StepOutcome {
  readonly kind: "pipe";
  readonly result: unknown;
  /** The part of `result` that a model may read, if that differs from `result`: see `PipeResult`. */
  readonly result_for_model?: unknown;
  readonly steps: StepResults;
}

/** The result of a step. */
export type StepResult = ToolStepResult | GroupResult | NestedResult;

/** The results of steps by their ids. */
export type StepResults = { readonly [id: string]: StepResult };

/** The result of a pipe. Plain JSON. */
export interface PipeResult {
  readonly ok: boolean;
  /** All failures with their paths. Empty if `ok`. */
  readonly error: string;
  /** The value that `return` selects, or null if the pipe failed. */
  readonly result: unknown;
  /**
   * The part of `result` that a model may read, if that differs from `result`: content for the user alone is replaced by
   * placeholders. Results of tools that received such content are their own, and messages in `error` may contain its keys.
   */
  readonly result_for_model?: unknown;
  /** All steps that ran, also if the pipe failed. */
  readonly steps: StepResults;
  /** The run, if it waits for a person: see `resumePipe`. Only runs with `pauses` have it. */
  readonly paused?: PausedPipe;
  /** All problems of a refused spec, of which nothing was called. */
  readonly problems?: readonly PipeProblem[];
}

export function byId(results: readonly StepResult[]): StepResults {
  return Object.fromEntries(results.map((result) => [result.id, result]));
}

export function mapResults(
  results: StepResults,
  map: (result: StepResult) => StepResult,
): StepResults {
  return byId(Object.values(results).map((result) => map(result)));
}

/** The field with the results of the inner steps, by the kind of a step. */
export const INNER = { parallel: "children", pipe: "steps" } as const;

/** Returns the results of the steps inside a group or a nested pipe. */
export function innerResults(result: StepResult): StepResults {
  if (result.kind === "tool") return {};
  return result.kind === "pipe" ? result.steps : result.children;
}

function toolResults(result: StepResult): readonly ToolStepResult[] {
  return result.kind === "tool"
    ? [result]
    : Object.values(innerResults(result)).flatMap(toolResults);
}

function mapInner(result: StepResult, map: (inner: StepResult) => StepResult): StepResult {
  if (result.kind === "tool") return result;
  return { ...result, [INNER[result.kind]]: mapResults(innerResults(result), map) };
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
  const [hop] = hops;
  const made = hop?.output.status === "invalid" ? undefined : hop?.result;
  const structured = made?.structuredContent ?? null;
  return { ...outcome, kind, structured, text: made ? modelText(made) : "", hops };
}

/** Computes the bytes of a step's results, including its inner steps. */
export function weighStep(step: StepResult): number {
  return toolResults(step).reduce((sum, { hops }) => sum + weighHops(hops), 0);
}

/** In LangGraph, each step reads all earlier ones again. To weigh 100 KB takes a millisecond: 50 such steps would take a second. */
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

/**
 * Shows the fields of a step that paths can read: those of the contract without raw results, and `json`, which is no part of a value
 * that is passed on as a whole. A step that failed before any call shows no output.
 */
export function showStep(step: StepResult): StepResult {
  const isEmpty = !step.ok && !toolResults(step).some(({ hops }) => hops.length > 0);
  if (step.kind === "parallel") return mapInner(step, showStep);
  if (step.kind === "pipe") {
    const { result, result_for_model: _, ...fields } = step;
    const shown = isEmpty ? fields : { ...fields, result };
    return mapInner(shown as NestedResult, showStep);
  }
  const { structured, text, hops: _, ...fields } = step;
  if (isEmpty) return fields as StepResult;
  const isPlaceholder = structured === HIDDEN || typeof structured === "symbol";
  const get = () => (isPlaceholder ? structured : parseText(step));
  // Not enumerable, so that no copy parses the text.
  return Object.defineProperty({ ...fields, structured, text } as ToolStepResult, "json", { get });
}

/** The values of texts by their steps, since each of many references may read a text of megabytes. */
const parsed = new WeakMap<ToolStepResult, unknown>();

function parseText(step: ToolStepResult): unknown {
  if (!parsed.has(step)) parsed.set(step, parseJsonText(step.text));
  return parsed.get(step);
}

/** The text that replaces content for the user alone in what a model reads. */
export const HIDDEN = "(for the user alone)";

/** Returns true if the content of a step, or of a step inside it, was for the user alone. */
export function isHidden(step: StepResult): boolean {
  return toolResults(step).some(({ hops: [own] }) => own && isForUserAlone(own.result));
}

/** Replaces all content for the user alone in a step by placeholders. */
export function coverStep(step: StepResult): StepResult {
  if (step.kind === "tool") {
    return isHidden(step) ? { ...step, structured: HIDDEN, text: HIDDEN } : step;
  }
  const covered = mapInner(step, coverStep);
  if (covered.kind !== "pipe" || covered.result_for_model === undefined) return covered;
  return { ...covered, result: covered.result_for_model };
}
