import type { ToolrailError } from "../errors.ts";
import { isJsonObject, measure } from "../json.ts";
import type { PipeHost } from "./pipe-host.ts";
import { type PipeLimits, resolvePipeLimits } from "./pipe-limits.ts";
import { type Pipe, type PipeAuthor, toPipe } from "./pipe-plan.ts";
import { type PipeProblem, toPipeError } from "./pipe-problem.ts";
import { planPipe } from "./plan-pipe.ts";
import type { Planning } from "./planning.ts";
import { findSpecProblems } from "./spec-problems.ts";

export interface ParsePipeOptions {
  /** Who wrote the spec. Default: the application. */
  readonly author?: PipeAuthor;
  readonly limits?: Partial<PipeLimits>;
}

/** What `checkPipe` says: a pipe to run, or everything that is wrong with the spec. */
export type PipeVerdict =
  | { readonly ok: true; readonly pipe: Pipe }
  | {
      readonly ok: false;
      readonly problems: readonly PipeProblem[];
      readonly error: ToolrailError;
    };

/** Generous, since each value has its own limit: this one only keeps the checks themselves safe. */
const SPEC_LIMITS = { maxBytes: 67_108_864, maxDepth: 512 };

/**
 * Checks a spec: an object or its JSON text, bare or as the member `spec`. Everything that can be known
 * before the first call is checked here, and nothing is called.
 */
export function checkPipe(
  input: unknown,
  host: PipeHost,
  { author = "application", limits }: ParsePipeOptions = {},
): PipeVerdict {
  const problems: PipeProblem[] = [];
  const planning: Planning = {
    host,
    limits: resolvePipeLimits(limits),
    author,
    problems,
    steps: 0,
    isCut: false,
  };
  const read = readSpec(input);
  if ("problem" in read) return refuse([{ path: "spec", message: read.problem }]);
  const { spec } = read;
  const size = measure(spec, SPEC_LIMITS);
  if (size) return refuse([{ path: "spec", message: size }]);
  const plan = planPipe(planning, spec);
  if (!planning.isCut) problems.unshift(...findSpecProblems(spec));
  return problems.length > 0
    ? refuse(problems)
    : { ok: true, pipe: toPipe(plan, author, planning.steps) };
}

/** As `checkPipe`; throws `invalid-pipe`, with `data.problems`, where anything is wrong. */
export function parsePipe(input: unknown, host: PipeHost, options?: ParsePipeOptions): Pipe {
  const verdict = checkPipe(input, host, options);
  if (verdict.ok) return verdict.pipe;
  throw verdict.error;
}

function refuse(problems: readonly PipeProblem[]): PipeVerdict {
  return { ok: false, problems, error: toPipeError(problems) };
}

function readSpec(input: unknown): { readonly spec: unknown } | { readonly problem: string } {
  if (typeof input === "string") return readText(input);
  if (!isJsonObject(input) || !Object.hasOwn(input, "spec")) return { spec: input };
  const { spec, ...rest } = input;
  const others = Object.keys(rest).filter((key) => rest[key] !== undefined);
  if (others.length > 0) {
    return { problem: `there is spec, and ${others.join(", ")} beside it; write one or the other` };
  }
  return typeof spec === "string" ? readText(spec) : { spec };
}

function readText(text: string): { readonly spec: unknown } | { readonly problem: string } {
  if (text.length > SPEC_LIMITS.maxBytes) return { problem: "it is too long" };
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && Object.hasOwn(value, "spec")) return readSpec(value);
    return { spec: value };
  } catch (cause) {
    return { problem: `it is not JSON: ${cause instanceof Error ? cause.message : cause}` };
  }
}
