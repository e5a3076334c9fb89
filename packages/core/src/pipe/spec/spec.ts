import { z } from "zod";
import { ToolrailError } from "../../errors.ts";
import { isJsonObject, type JsonObject, measure } from "../../json/json.ts";
import { joinKey } from "../../json/path.ts";
import { messageOf, shorten } from "../../json/plain-text.ts";
import { describeIssue, jsonObject, name, shapeProblems } from "../../json/shape.ts";
import type { PipeLimits } from "../pipe.ts";

/** A step of a pipe: a call, steps that run at the same time, or a nested pipe, which does not see the outer `steps`. */
export type PipeStep =
  | ToolStep
  | { readonly id: string; readonly parallel: readonly PipeStep[] }
  | { readonly id: string; readonly pipe: PipeSpec };

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

const toolSchema = /* @__PURE__ */ z.strictObject({
  id: name,
  tool: name,
  args: jsonObject.optional(),
});

/** A call of one tool: by `server.tool`, by its bare name, or by the name that models see. */
export type ToolStep = Readonly<z.infer<typeof toolSchema>>;

/** A step, read by the one key that determines its kind, so that its problems are those of that kind alone. */
const stepSchema: z.ZodType<PipeStep> = /* @__PURE__ */ z.unknown().transform((step, context) => {
  const kinds = STEP_KINDS.filter((kind) => isJsonObject(step) && step[kind] !== undefined);
  const [kind] = kinds;
  if (kind && kinds.length === 1) {
    const read = stepSchemas[kind].safeParse(step, { error: describeIssue });
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: "custom", path, message });
    }
  } else {
    const defect = kind ? `has ${kinds.join(" and ")}` : "has no kind";
    context.addIssue(`${isJsonObject(step) ? defect : "must be an object"}; ${KINDS_HINT}`);
  }
  return z.NEVER;
});
const stepsSchema = /* @__PURE__ */ z.array(stepSchema).min(1, "is empty; write at least one step");
const specSchema = /* @__PURE__ */ z.strictObject({
  vars: jsonObject.optional(),
  steps: stepsSchema,
  return: z.unknown().optional(),
  continue_on_error: z.boolean().optional(),
});
const stepSchemas = {
  tool: toolSchema,
  parallel: /* @__PURE__ */ z.strictObject({ id: name, parallel: stepsSchema }),
  pipe: /* @__PURE__ */ z.strictObject({ id: name, pipe: specSchema }),
};

const KINDS_HINT =
  'write exactly one of {"id", "tool", "args"}, {"id", "parallel": [steps]} and {"id", "pipe": {"steps": [...]}}';

/** Checks a spec and returns it typed. Recursive: measure and count the value first. Throws `invalid-pipe`. */
export function parseSpec(value: unknown): PipeSpec {
  const problems = shapeProblems(specSchema, value);
  if (problems.length === 0) return value as PipeSpec;
  throw toPipeError(problems.map(({ path, message }) => ({ path: path || "spec", message })));
}

/** A problem of a spec. */
export interface PipeProblem {
  /** The path in the spec: `steps[1].parallel[0].args.url`, or `spec` for the whole. */
  readonly path: string;
  /** The description of the problem and how to solve it. */
  readonly message: string;
}

/** Creates one error for all problems of a spec, listed in `data.problems`. Shortens paths, which may be megabytes long. */
export function toPipeError(found: readonly PipeProblem[]): ToolrailError<"invalid-pipe"> {
  const problems = found.map(({ path, message }) => {
    return { path: shorten(path, 400), message: shorten(message, 800) };
  });
  const shown = problems.slice(0, 12).map(({ path, message }) => `${path}: ${message}`);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  const message = `The pipe is invalid; nothing was called. ${shown.join(" | ")}`;
  return new ToolrailError("invalid-pipe", message, { data: { problems } });
}

/** Generous limits that only keep the checks safe, since each value has its own limit. */
const SPEC_LIMITS = { maxBytes: 16_777_216, maxDepth: 512 };

/**
 * Reads a spec from an object or a JSON text, bare or as the member `spec`. Returns a copy of limited size and depth, so that
 * later changes of the given value have no effect. Throws `invalid-pipe`.
 */
export function readSpec(input: unknown): unknown {
  if (typeof input !== "string") refuseIf(measure(input, SPEC_LIMITS));
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "null");
  const read = withoutNulls(parseText(text));
  if (!isJsonObject(read) || !Object.hasOwn(read, "spec")) return read;
  const { spec, ...rest } = read;
  const others = Object.keys(rest).join(", ");
  refuseIf(others && `it has both spec and ${others}; write one or the other`);
  return typeof spec === "string" ? readSpec(spec) : withoutNulls(spec);
}

const LISTS = ["steps", "parallel", "pipe"];

/** Removes members that are `null`, since models write `null` for omitted members. Values keep theirs. */
function withoutNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNulls);
  if (!isJsonObject(part)) return part;
  const members = Object.entries(part).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([key, value]) => [key, LISTS.includes(key) ? withoutNulls(value) : value]),
  );
}

function parseText(text: string): unknown {
  refuseIf(text.length > SPEC_LIMITS.maxBytes && "it is too long");
  let spec: unknown;
  try {
    spec = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (cause) {
    refuseIf(`it is not JSON: ${messageOf(cause)}`);
  }
  refuseIf(measure(spec, SPEC_LIMITS));
  return spec;
}

function refuseIf(message: string | false | undefined, path = "spec"): void {
  if (message) throw toPipeError([{ path, message }]);
}

interface StepList {
  readonly at: string;
  readonly depth: number;
  /** The depth of the groups in this list. A group at the top of a pipe is no deeper than its pipe. */
  readonly groupDepth: number;
}

/** Counts the steps of a spec of any shape. Throws `invalid-pipe` as soon as there are too many steps or levels. */
export function countSteps(spec: unknown, { maxSteps, maxDepth }: PipeLimits): number {
  let count = 0;
  const countIn = (list: unknown, { at, depth, groupDepth }: StepList): void => {
    if (!Array.isArray(list)) return;
    const tooDeep = `this is nested ${depth} levels deep; at most ${maxDepth} are allowed (limits.maxDepth)`;
    refuseIf(depth > maxDepth && tooDeep, at);
    for (const [index, step] of list.entries()) {
      count++;
      const path = joinKey(at, index);
      const tooMany = `this is step ${count} of the pipe; at most ${maxSteps} may run (limits.maxSteps), including groups, children and nested steps`;
      refuseIf(count > maxSteps && tooMany, path);
      const { parallel, pipe } = Object(step);
      const [group, nested] = [`${path}.parallel`, `${path}.pipe.steps`];
      countIn(parallel, { at: group, depth: groupDepth, groupDepth: groupDepth + 1 });
      countIn(Object(pipe).steps, { at: nested, depth: depth + 1, groupDepth: depth + 1 });
    }
  };
  countIn(Object(spec).steps, { at: "steps", depth: 0, groupDepth: 0 });
  return count;
}
