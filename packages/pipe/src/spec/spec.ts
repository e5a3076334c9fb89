import type { JsonObject } from "@toolrail/json";
import * as z from "zod/mini";

/** What any step may have. */
interface AnyStep {
  readonly id: string;
  /** An expression of CEL: where it is false, the step is skipped. */
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
  /** What is done with each item: a call, or a pipe. */
  readonly do: Omit<ToolStep, keyof AnyStep> | Omit<NestedStep, keyof AnyStep>;
  /** Most items; a longer list fails the step before its first call. Default 20. */
  readonly max_items?: number | undefined;
}

/** A step of a pipe: a call, steps at the same time, a nested pipe, or the same for each item of a list. */
export type PipeStep = ToolStep | ParallelStep | NestedStep | EachStep;

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
export const STEP_KINDS = ["tool", "parallel", "pipe", "for_each"] as const;

/** The schema of a spec. Marked, so that a bundle can do without. */
export const pipeSpec = /* @__PURE__ */ createPipeSpec();

function createPipeSpec() {
  const shape = { error: toMessage };
  const count = "this must be a whole number of at least 1";
  const name = z.string("this must be a string").check(z.minLength(1, "this is empty"));
  const values = z.record(z.string(), z.unknown(), "this must be an object");
  const steps = z.lazy(() =>
    z.array(step, "this must be a list of steps").check(z.minLength(1, EMPTY)),
  );
  const any = { id: name, when: z.optional(name) };
  const call = { tool: name, args: z.optional(values) };
  const nested = { pipe: z.lazy(() => spec) };
  const each = {
    for_each: z.unknown(),
    as: z.optional(name),
    do: z.union([z.strictObject(call, shape), z.strictObject(nested, shape)]),
    max_items: z.optional(z.int(count).check(z.gte(1, count))),
  };
  /** In the order of `STEP_KINDS`. */
  const step: z.ZodMiniType<PipeStep> = z.union([
    z.strictObject({ ...any, ...call }, shape),
    z.strictObject({ ...any, parallel: steps }, shape),
    z.strictObject({ ...any, ...nested }, shape),
    z.strictObject({ ...any, ...each }, shape),
  ]);
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
  return `${names} is unknown here; ${hintFor(keys)}`;
}

function hintFor(keys: readonly string[]): string {
  if (keys.includes("arguments") || keys.includes("input"))
    return "a tool's arguments go into args";
  if (keys.includes("if")) return "write when";
  if (keys.includes("forEach") || keys.includes("foreach")) return "write for_each";
  return keys.includes("continueOnError") ? "write continue_on_error" : "leave it out";
}
