import { resolveLimits } from "../../call/limits.ts";
import type { ToolFilter } from "../../call/tool-patterns.ts";
import { createOptionCheck, type OptionTable, oneOf } from "../../check-options.ts";
import { ToolrailError } from "../../errors.ts";
import type { Host } from "../../host/host.ts";
import { offeredTools } from "../../host/offered-tools.ts";
import type { JsonObject } from "../../json/json.ts";
import { DEFAULT_PIPE_LIMITS, type PipeLimits } from "../limits.ts";
import { isPipe, MARKER, type Pipe } from "../pipe.ts";
import { parseSpec } from "../spec/check-spec.ts";
import { type PipeProblem, toPipeError } from "../spec/problems.ts";
import { countSteps, readSpec } from "../spec/read-spec.ts";
import type { PipeAuthor } from "../types.ts";
import { createVariables } from "../variables/variables.ts";
import { compileSteps } from "./compile-steps.ts";
import type { KeptValues } from "./kept-vars.ts";
import { checkSize } from "./known-values.ts";

/** The spec of a pipe, with its limits and rules. */
export interface ParsePipeOptions {
  /** The spec: an object or its JSON text, bare or as the member `spec`. A parsed pipe keeps its `author`, `tools` and `follow`. */
  readonly spec: unknown;
  /** The author of the spec. Default: the application. */
  readonly author?: PipeAuthor | undefined;
  /** The tools that a step may call, as `offeredTools` selects them. Default: all that the author may call. */
  readonly tools?: ToolFilter | undefined;
  /** Limits of the pipe. Default: those of `PipeLimits`. */
  readonly limits?: Partial<PipeLimits> | undefined;
  /** Values that replace `vars` of the spec. Their names are checked too. Default: the spec's values. */
  readonly vars?: JsonObject | undefined;
  /** The values of kept results that the spec may refer to, by their addresses. Default: none. */
  readonly kept?: KeptValues | undefined;
  /**
   * True makes the next call that a step's result asks for, by `nextTool` or a rule. Its hops are added to `hops`, and
   * `structured` and `text` remain those of the step's own tool. Default false: the call is not made, and an event reports it.
   */
  readonly follow?: boolean | undefined;
}

/** The kinds of the options with which a spec is parsed, for engines that check their own options. */
export const PARSE_OPTIONS: OptionTable<ParsePipeOptions> = {
  spec: "any",
  author: oneOf("application", "model"),
  tools: ["texts", "function"],
  limits: "object",
  vars: "object",
  kept: "object",
  follow: "boolean",
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

function compilePipe(host: Host, { spec, vars, ...options }: ParsePipeOptions): Pipe {
  const problems: PipeProblem[] = [];
  if (isPipe(spec)) refuseOthers(spec, options);
  const pipe = isPipe(spec) ? spec : compileSpec(host, { ...options, spec, problems });
  problems.push(...unknownVars(pipe, vars));
  if (problems.length > 0) throw toPipeError(problems);
  return pipe;
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

function compileSpec(host: Host, options: ParsePipeOptions & { problems: PipeProblem[] }): Pipe {
  const {
    spec: given,
    author = "application",
    tools,
    limits,
    follow = false,
    kept,
    problems,
  } = options;
  const bounds = resolveLimits(DEFAULT_PIPE_LIMITS, limits);
  const value = readSpec(given);
  const stepCount = countSteps(value, bounds);
  const spec = parseSpec(value);
  const vars = { ...kept?.values, ...spec.vars };
  const { maxArgumentBytes } = bounds;
  const offered = tools && new Set(offeredTools(host, tools));
  const parts = { host, author, offered, maxArgumentBytes, problems };
  checkSize(spec.vars ?? {}, { ...parts, at: "vars" });
  const variables = {
    ...createVariables(vars),
    ids: new Set<string>(),
    lost: kept?.problems ?? {},
  };
  const pipe = compileSteps({ ...spec, vars }, { ...parts, at: "", path: "", variables });
  return { [MARKER]: true, ...pipe, author, follow, stepCount };
}

/** Throws for options that a parsed pipe would not obey. */
function refuseOthers(
  pipe: Pipe,
  {
    tools,
    author = pipe.author,
    follow = pipe.follow,
  }: Pick<ParsePipeOptions, "tools" | "author" | "follow">,
): void {
  if (tools === undefined && author === pipe.author && follow === pipe.follow) return;
  const message =
    "A parsed pipe keeps the `author`, `tools` and `follow` that it was parsed with: pass them to `parsePipe`, or pass the spec here.";
  throw new ToolrailError("invalid-options", message);
}

/** Finds the names of a run's `vars` that the spec does not have. */
function unknownVars({ vars }: Pipe, given: JsonObject = {}): PipeProblem[] {
  const names = Object.keys(vars);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const message = `the spec has no var of that name; it has ${names.join(", ") || "none"}`;
  return unknown.map((name) => ({ path: `vars.${name}`, message }));
}
