import type { Hop, PendingCall } from "@toolrail/core";
import type { CompiledStep } from "../compile/compiled-pipe.ts";
import type { PipeProblem } from "../spec/problems.ts";

interface StepOutcome {
  readonly id: string;
  readonly ok: boolean;
  /** Empty where `ok`. */
  readonly error: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** Of a step with `when`: whether that was false, so that it made no call. */
  readonly skipped?: boolean;
}

/** What came of a step that called a tool. */
export interface ToolStepResult extends StepOutcome {
  readonly kind: "tool";
  /** `structuredContent` of the step's own tool; null if there is none. */
  readonly structured: unknown;
  /** The texts of that tool that a model may read, one to a line. */
  readonly text: string;
  /** The call and every call that followed from it, whole. */
  readonly hops: readonly Hop[];
}

/** What came of a step whose children ran at the same time. */
export interface GroupResult extends StepOutcome {
  readonly kind: "parallel";
  readonly children: StepResults;
}

/** What came of a step that is a pipe of its own. */
export interface NestedResult extends StepOutcome {
  readonly kind: "pipe";
  readonly result: unknown;
  /** What a model may read of `result`, where that is not all of it: see `PipeResult`. */
  readonly result_for_model?: unknown;
  readonly steps: StepResults;
}

/** What came of a step that did the same with each item of a list. */
export interface EachResult extends StepOutcome {
  readonly kind: "for_each";
  /** What came of each item, in the order of the list; the ids are `0`, `1` and so on. */
  readonly items: readonly StepResult[];
}

/** What came of a step. */
export type StepResult = ToolStepResult | GroupResult | NestedResult | EachResult;

/** The results of steps by their ids. */
export type StepResults = { readonly [id: string]: StepResult };

/** A pipe that waits for a person, and for what. */
export interface PausedPipe {
  readonly id: string;
  /** The calls that wait, with the paths of their steps. */
  readonly asks: readonly { readonly path: string; readonly pending: PendingCall }[];
}

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
  readonly steps: StepResults;
  /** Where it waits for a person: see `resumePipe`. Only a run with `pauses` does. */
  readonly paused?: PausedPipe;
  /** Where the spec was refused: all that is wrong with it. Nothing was called then. */
  readonly problems?: readonly PipeProblem[];
}

/** The results of steps by their ids. */
export function byId(results: readonly StepResult[]): StepResults {
  return Object.fromEntries(results.map((result) => [result.id, result]));
}

/** The steps that ran, each with its result, in the order of the spec. */
export function ranSteps<Step extends Pick<CompiledStep, "id">>(
  steps: readonly Step[],
  results: StepResults,
): (readonly [Step, StepResult])[] {
  return steps.flatMap((step) => {
    const result = Object.hasOwn(results, step.id) ? results[step.id] : undefined;
    return result ? [[step, result] as const] : [];
  });
}

/** The member that holds what came of the steps inside. */
export const INNER = { parallel: "children", pipe: "steps", for_each: "items" } as const;

/** What came of the steps inside a group, a list or a nested pipe. */
export function innerResults(result: StepResult): StepResults {
  if (result.kind === "tool") return {};
  if (result.kind === "for_each") return byId(result.items);
  return result.kind === "pipe" ? result.steps : result.children;
}

/** What came of all tool steps in a step, itself included. */
export function toolResults(result: StepResult): readonly ToolStepResult[] {
  return result.kind === "tool"
    ? [result]
    : Object.values(innerResults(result)).flatMap(toolResults);
}

/** A step with something else in place of each step in it. */
export function mapInner(result: StepResult, map: (inner: StepResult) => StepResult): StepResult {
  if (result.kind === "tool") return result;
  if (result.kind === "for_each") return { ...result, items: result.items.map(map) };
  const inner = byId(Object.values(innerResults(result)).map(map));
  return result.kind === "pipe" ? { ...result, steps: inner } : { ...result, children: inner };
}
