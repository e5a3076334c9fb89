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

/** The schema of a spec. Marked, so that a bundle can do without. */
export const pipeSpec = /* @__PURE__ */ createPipeSpec();

function createPipeSpec() {
  const shape = { error: toMessage };
  const name = z.string("this must be a text").check(z.minLength(1, "this is empty"));
  const values = z.record(z.string(), z.unknown(), "this must be an object");
  const steps = z.lazy(() =>
    z.array(step, "this must be a list of steps").check(z.minLength(1, EMPTY)),
  );
  const toolStep = z.strictObject({ id: name, tool: name, args: z.optional(values) }, shape);
  const parallelStep = z.strictObject({ id: name, parallel: steps }, shape);
  const nestedStep = z.strictObject({ id: name, pipe: z.lazy(() => spec) }, shape);
  /** In the order of `STEP_KINDS`. */
  const step: z.ZodMiniType<PipeStep> = z.union([toolStep, parallelStep, nestedStep]);
  const spec: z.ZodMiniType<PipeSpec> = z.strictObject(
    {
      vars: z.optional(values),
      steps,
      return: z.optional(z.unknown()),
      continue_on_error: z.optional(z.boolean("this must be true or false")),
    },
    shape,
  );
  return spec;
}

const EMPTY = "the list is empty; write at least one step";

function toMessage(issue: { readonly code: string; readonly keys?: readonly string[] }): string {
  const { keys } = issue;
  if (!keys) return "this must be an object";
  const names = keys.map((key) => `"${key}"`).join(", ");
  return `${names} is not known here; ${hintFor(keys)}`;
}

function hintFor(keys: readonly string[]): string {
  if (keys.includes("arguments") || keys.includes("input"))
    return "a tool's arguments go into args";
  return keys.includes("continueOnError") ? "write continue_on_error" : "leave it out";
}
