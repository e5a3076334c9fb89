import type { JsonObject } from "@toolrail/json";

/** The fields of a step of any kind. */
interface AnyStep {
  readonly id: string;
  /** An expression of CEL: if it is false, the step is skipped. */
  readonly when?: string | undefined;
}

/** Calls one tool, by `server.tool`, by its bare name, or by the name that models see. */
export interface ToolStep extends AnyStep {
  readonly tool: string;
  readonly args?: JsonObject | undefined;
}

/** Runs its children at the same time. */
export interface ParallelStep extends AnyStep {
  readonly parallel: readonly PipeStep[];
}

/** Runs a pipe of its own, which sees the `vars` around it and not the `steps`. */
export interface NestedStep extends AnyStep {
  readonly pipe: PipeSpec;
}

/** Does the same with each item of a list, at the same time. */
export interface EachStep extends AnyStep {
  /** A list, or what reads one. */
  readonly for_each: unknown;
  /** The name by which `do` reads its item, as in `${page.url}`. Default `item`. */
  readonly as?: string | undefined;
  /** The call, or the pipe, for each item. */
  readonly do: Omit<ToolStep, keyof AnyStep> | Omit<NestedStep, keyof AnyStep>;
  /** Most items; a longer list fails the step before its first call. Default 20. */
  readonly max_items?: number | undefined;
}

/** A step of a pipe: a call, steps at the same time, a nested pipe, or the same for each item of a list. */
export type PipeStep = ToolStep | ParallelStep | NestedStep | EachStep;

/** The spec that an operator or a model writes: the contract of `mcp_pipe`. */
export interface PipeSpec {
  /** Values for references. Those of a nested pipe may themselves refer to the pipe around it. */
  readonly vars?: JsonObject | undefined;
  readonly steps: readonly PipeStep[];
  /** The result, with references. Default: what the last step brought. */
  readonly return?: unknown;
  /** Default false: the first failure ends the pipe. */
  readonly continue_on_error?: boolean | undefined;
}

/** The keys that tell the kinds of step apart. */
export const STEP_KINDS = ["tool", "parallel", "pipe", "for_each"] as const;
