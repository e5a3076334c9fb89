import type { ToolrailError } from "../errors.ts";
import type { PipeHost } from "./pipe-host.ts";
import { type PipeLimits, resolvePipeLimits } from "./pipe-limits.ts";
import { type Pipe, type PipeAuthor, toPipe } from "./pipe-plan.ts";
import { type PipeProblem, shorten, toPipeError } from "./pipe-problem.ts";
import { planPipe } from "./plan-pipe.ts";
import type { Planning } from "./planning.ts";
import { readSpec } from "./read-spec.ts";
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

/** Names and paths of a spec stand in its problems: some are megabytes long. */
function refuse(found: readonly PipeProblem[]): PipeVerdict {
  const problems = found.map(({ path, message }) => {
    return { path: shorten(path, 400), message: shorten(message, 800) };
  });
  return { ok: false, problems, error: toPipeError(problems) };
}
