import { resolveLimits } from "../../call/limits.ts";
import type { ToolFilter } from "../../call/tool.ts";
import { createOptionCheck, type OptionTable, oneOf } from "../../check-options.ts";
import { invalidOptions, ToolrailError } from "../../errors.ts";
import { offeredTools } from "../../host/for-adapters.ts";
import type { Host } from "../../host/host.ts";
import type { JsonObject } from "../../json/json.ts";
import {
  DEFAULT_PIPE_LIMITS,
  isPipe,
  MARKER,
  type Pipe,
  type PipeAuthor,
  type PipeLimits,
} from "../pipe.ts";
import { countSteps, type PipeProblem, parseSpec, readSpec, toPipeError } from "../spec/spec.ts";
import { createVariables } from "../variables/variables.ts";
import { checkSize, compileSteps, type Site } from "./compile-steps.ts";

/** The spec of a pipe, with its limits and rules. */
export interface ParsePipeOptions {
  /** The spec: an object or its JSON text, bare or as the member `spec`. A parsed pipe keeps its `author` and `tools`. */
  readonly spec: unknown;
  /** The author of the spec. Default: the application. */
  readonly author?: PipeAuthor | undefined;
  /** The tools that a step may call, as `offeredTools` selects them. Default: all that the author may call. */
  readonly tools?: ToolFilter | undefined;
  /** Limits of the pipe. Default: those of `PipeLimits`. */
  readonly limits?: Partial<PipeLimits> | undefined;
  /** Values that replace `vars` of the spec. Their names are checked too. Default: the spec's values. */
  readonly vars?: JsonObject | undefined;
}

/** The kinds of the options with which a spec is parsed, for engines that check their own options. */
export const PARSE_OPTIONS: OptionTable<ParsePipeOptions> = {
  spec: "any",
  author: oneOf("application", "model"),
  tools: ["texts", "function"],
  limits: "object",
  vars: "object",
};

const checkOptions = /* @__PURE__ */ createOptionCheck<ParsePipeOptions>(
  "parsePipe",
  PARSE_OPTIONS,
  { isRequired: true },
);

/** The verdict of `checkPipe`: a pipe, or the problems of its spec. */
export type PipeVerdict =
  | { readonly ok: true; readonly pipe: Pipe }
  | {
      readonly ok: false;
      readonly problems: readonly PipeProblem[];
      readonly error: ToolrailError;
    };

/**
 * Checks a spec: its size, its shape, then its tools, arguments and references. It finds everything that can be known before
 * the first call, and calls nothing. Throws `invalid-pipe` with all problems of one stage in `data.problems`.
 */
export function parsePipe(host: Host, options: ParsePipeOptions): Pipe {
  checkOptions(options);
  return compilePipe(host, options);
}

/** Checks a spec as `parsePipe` does, and returns the problems instead of throwing them. */
export function checkPipe(host: Host, options: ParsePipeOptions): PipeVerdict {
  checkOptions(options, "checkPipe");
  return judgePipe(host, options);
}

/** Checks a spec. Its options have been checked before. */
export function judgePipe(host: Host, options: ParsePipeOptions): PipeVerdict {
  try {
    return { ok: true, pipe: compilePipe(host, options) };
  } catch (error) {
    if (!ToolrailError.isInstance(error, "invalid-pipe")) throw error;
    return { ok: false, problems: error.data?.problems ?? [], error };
  }
}

function compilePipe(host: Host, options: ParsePipeOptions): Pipe {
  const { spec, vars: given = {} } = options;
  const problems: PipeProblem[] = [];
  const pipe = isPipe(spec)
    ? withOptions(spec, options)
    : compileSpec(host, { ...options, problems });
  const names = Object.keys(pipe.vars);
  const message = `the spec has no var of that name; it has ${names.join(", ") || "none"}`;
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  problems.push(...unknown.map((name) => ({ path: `vars.${name}`, message })));
  if (problems.length > 0) throw toPipeError(problems);
  return pipe;
}

/** Returns a parsed pipe. Throws for options that it would not obey. */
function withOptions(pipe: Pipe, options: ParsePipeOptions): Pipe {
  const { tools, author = pipe.author } = options;
  const { maxSteps = pipe.stepCount } = options.limits ?? {};
  if (pipe.stepCount > maxSteps) {
    const message = `it has ${pipe.stepCount} steps; at most ${maxSteps} may run (limits.maxSteps)`;
    throw toPipeError([{ path: "spec", message }]);
  }
  if (tools === undefined && author === pipe.author) return pipe;
  throw invalidOptions(
    "A parsed pipe keeps the `author` and `tools` that it was parsed with: pass them to `parsePipe`, or pass the spec here.",
  );
}

function compileSpec(
  host: Host,
  { problems, ...options }: ParsePipeOptions & Pick<Site, "problems">,
): Pipe {
  const { author = "application", tools } = options;
  const limits = resolveLimits(DEFAULT_PIPE_LIMITS, options.limits);
  const value = readSpec(options.spec);
  const stepCount = countSteps(value, limits);
  const spec = parseSpec(value);
  const { vars = {} } = spec;
  const site: Site = {
    host,
    author,
    offered: tools && new Set(offeredTools(host, tools)),
    maxArgumentBytes: limits.maxArgumentBytes,
    problems,
    at: "",
    path: "",
    variables: createVariables(vars),
    ids: new Set(),
  };
  checkSize(vars, { ...site, at: "vars" });
  return { [MARKER]: true, ...compileSteps(spec, site), author, stepCount };
}
