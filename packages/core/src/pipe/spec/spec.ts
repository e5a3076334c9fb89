import type { JsonObject } from "../../json/json.ts";

interface AnyStep {
  readonly id: string;
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

/** A step of a pipe: a call, steps at the same time, or a nested pipe. */
export type PipeStep = ToolStep | ParallelStep | NestedStep;

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
export const STEP_KINDS = ["tool", "parallel", "pipe"] as const;
