import type { Hop } from "../result/hop.ts";
import type { PipeProblem } from "./pipe-problem.ts";

interface StepOutcome {
  readonly id: string;
  readonly ok: boolean;
  /** Empty where `ok`. */
  readonly error: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly duration_ms: number;
}

export interface ToolStepResult extends StepOutcome {
  readonly kind: "tool";
  /** `structuredContent` of the last hop; null where there is none. */
  readonly structured: unknown;
  /** The texts of the last hop that a model may read, one to a line. */
  readonly text: string;
  /** The call and every call that followed from it, whole. */
  readonly hops: readonly Hop[];
}

export interface GroupResult extends StepOutcome {
  readonly kind: "parallel";
  readonly children: { readonly [id: string]: StepResult };
}

export interface NestedResult extends StepOutcome {
  readonly kind: "pipe";
  readonly result: unknown;
  readonly steps: { readonly [id: string]: StepResult };
}

export type StepResult = ToolStepResult | GroupResult | NestedResult;

/** The output of a pipe, as its contract has it. Plain JSON. */
export interface PipeResult {
  readonly ok: boolean;
  /** Empty where `ok`, else every failure with its path. */
  readonly error: string;
  /** What `return` selects; null where the pipe failed. */
  readonly result: unknown;
  /**
   * What a model may read of `result`, where that is not all of it: parts that come from steps whose
   * content was for the user alone are a placeholder. Results of tools that were handed such a part are
   * their own, and messages in `error` may name its keys.
   */
  readonly result_for_model?: unknown;
  /** Every step that ran, also where the pipe failed. */
  readonly steps: { readonly [id: string]: StepResult };
  /** Where the spec was refused: all that is wrong with it. Nothing was called then. */
  readonly problems?: readonly PipeProblem[];
}

/** A failed step as a model reads it. */
export interface FailedStep {
  readonly path: string;
  readonly error: string;
}

/** The tool steps that failed, and the nested pipes whose own `vars` or `return` did, in order. */
export function failedSteps(result: Pick<PipeResult, "steps">, path = "steps"): FailedStep[] {
  return Object.values(result.steps).flatMap((step) => failuresOf(step, `${path}.${step.id}`));
}

function failuresOf(step: StepResult, path: string): FailedStep[] {
  if (step.ok) return [];
  const inner =
    step.kind === "parallel"
      ? failedSteps({ steps: step.children }, `${path}.children`)
      : step.kind === "pipe"
        ? failedSteps(step, `${path}.steps`)
        : [];
  return inner.length > 0 ? inner : [{ path, error: step.error }];
}
