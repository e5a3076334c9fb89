import type { JsonObject } from "@toolrail/json";

interface AnyStep {
  readonly id: string;
  /** A CEL expression. The step is skipped if it is false. */
  readonly when?: string | undefined;
}

/** A call of one tool: by `server.tool`, by its bare name, or by the name that models see. */
export interface ToolStep extends AnyStep {
  readonly tool: string;
  readonly args?: JsonObject | undefined;
}

/** Steps that run at the same time. */
export interface ParallelStep extends AnyStep {
  readonly parallel: readonly PipeStep[];
}

/** A nested pipe, which sees the outer `vars` but not the outer `steps`. */
export interface NestedStep extends AnyStep {
  readonly pipe: PipeSpec;
}

/** The same work for each item of a list, at the same time. */
export interface EachStep extends AnyStep {
  /** A list, or a reference to one. */
  readonly for_each: unknown;
  /** The name of the item for references in `do`, as in `${page.url}`. Default `item`. */
  readonly as?: string | undefined;
  /** The call, or the pipe, for each item. */
  readonly do: Omit<ToolStep, keyof AnyStep> | Omit<NestedStep, keyof AnyStep>;
  /** The maximum number of items. A longer list fails the step before its first call. Default 20. */
  readonly max_items?: number | undefined;
}

/** A step of a pipe: a call, steps at the same time, a nested pipe, or the same for each item of a list. */
export type PipeStep = ToolStep | ParallelStep | NestedStep | EachStep;

/** The spec of a pipe, by an operator or a model: the input of `mcp_pipe`. */
export interface PipeSpec {
  /** Values for references. In a nested pipe, they may refer to the outer pipe. */
  readonly vars?: JsonObject | undefined;
  readonly steps: readonly PipeStep[];
  /** The result, with references. Default: the output of the last step. */
  readonly return?: unknown;
  /** Default false: the first failure ends the pipe. */
  readonly continue_on_error?: boolean | undefined;
}

/** The keys that determine the kind of a step. */
export const STEP_KINDS = ["tool", "parallel", "pipe", "for_each"] as const;
