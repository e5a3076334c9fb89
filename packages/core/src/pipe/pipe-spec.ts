import * as z from "zod/mini";
import type { JsonObject } from "../json.ts";

/** Calls one tool, by `server.tool`, by its bare name, or by the name that models see. */
export interface ToolStep {
  readonly id: string;
  readonly tool: string;
  readonly args?: JsonObject | undefined;
}

/** Runs its children at the same time. */
export interface ParallelStep {
  readonly id: string;
  readonly parallel: readonly PipeStep[];
}

/** Runs a pipe of its own, which sees the `vars` around it and not the `steps`. */
export interface NestedStep {
  readonly id: string;
  readonly pipe: PipeSpec;
}

export type PipeStep = ToolStep | ParallelStep | NestedStep;

/** What an operator or a model writes: the contract of `mcp_pipe`. */
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
export const STEP_KINDS = ["tool", "parallel", "pipe"] as const;

/** The one schema of a spec: it parses, and `pipeSpecSchema` is made from it. Marked, so that a bundle can do without. */
export const pipeSpec = /* @__PURE__ */ createPipeSpec();

function createPipeSpec() {
  const name = z.string().check(z.minLength(1));
  const values = z.record(z.string(), z.unknown());
  const toolStep = z.strictObject({ id: name, tool: name, args: z.optional(values) });
  const parallelStep = z.strictObject({
    id: name,
    get parallel(): z.ZodMiniType<readonly PipeStep[]> {
      return z.array(step).check(z.minLength(1));
    },
  });
  const nestedStep = z.strictObject({
    id: name,
    get pipe(): z.ZodMiniType<PipeSpec> {
      return spec;
    },
  });
  /** In the order of `STEP_KINDS`. */
  const step = z.union([toolStep, parallelStep, nestedStep]);
  const spec = z.strictObject({
    vars: z.optional(values),
    steps: z.array(step).check(z.minLength(1)),
    return: z.optional(z.unknown()),
    continue_on_error: z.optional(z.boolean()),
  });
  return spec;
}
