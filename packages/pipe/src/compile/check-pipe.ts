import { type Host, type ToolFilter, ToolrailError } from "@toolrail/core";
import { createOptionCheck, offeredTools } from "@toolrail/core/adapter";
import type { OptionTable } from "@toolrail/core/internal";
import { oneOf, resolveLimits } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import { DEFAULT_PIPE_LIMITS, type PipeLimits } from "../limits.ts";
import { FLOW, isPipe, MARKER, type Pipe } from "../pipe.ts";
import { parseSpec } from "../spec/check-spec.ts";
import { type PipeProblem, toPipeError } from "../spec/problems.ts";
import { countSteps, readSpec } from "../spec/read-spec.ts";
import type { PipeAuthor, PipeFlow } from "../types.ts";
import { createVariables } from "../variables/variables.ts";
import { compileSteps } from "./compile-steps.ts";
import { type KeptById, varsOf } from "./kept-vars.ts";
import { checkSize } from "./known-values.ts";

/** The spec of a pipe, and the limits and rules that it is checked against. */
export interface ParsePipeOptions {
  /** The spec: an object or its JSON text, bare or as the member `spec`; a parsed pipe stands for itself. */
  readonly spec: unknown;
  /** Who wrote the spec. Default: the application. */
  readonly author?: PipeAuthor | undefined;
  /** Tools that a step may call, as `offeredTools` selects them. Default: all that its author may call. */
  readonly tools?: ToolFilter | undefined;
  /** Bounds on what the pipe may cost. Default: those that `PipeLimits` names. */
  readonly limits?: Partial<PipeLimits> | undefined;
  /** The values to run with in place of the `vars` of the spec; their names are checked too. Default: the spec's. */
  readonly vars?: JsonObject | undefined;
  /** Kept results that the spec may refer to, by their ids: see `findKept`. Default: none. */
  readonly kept?: KeptById | undefined;
  /** Conditions, lists and expressions: `flow()` of `@toolrail/pipe/flow`. Default: none, and a spec with one is refused. */
  readonly flow?: PipeFlow | undefined;
  /**
   * True follows what the result of a step asks for, by `nextTool` or a rule: its hops stand under `hops`, and `structured`
   * and `text` stay those of the step's own tool. Default false: it is not called, and an event tells of it.
   */
  readonly follow?: boolean | undefined;
}

/** The options of what checks a spec, by their kinds. */
export const PARSE_OPTIONS: OptionTable<ParsePipeOptions> = {
  spec: "any",
  author: oneOf("application", "model"),
  tools: ["texts", "function"],
  limits: "object",
  vars: "object",
  kept: "object",
  flow: "object",
  follow: "boolean",
};

const checkOptions = /* @__PURE__ */ createOptionCheck<ParsePipeOptions>(
  "parsePipe",
  PARSE_OPTIONS,
);

/** The verdict of `checkPipe`: a pipe to run, or the problems of the spec. */
export type PipeVerdict =
  | { readonly ok: true; readonly pipe: Pipe }
  | {
      readonly ok: false;
      readonly problems: readonly PipeProblem[];
      readonly error: ToolrailError;
    };

/**
 * Checks a spec: its size, then its shape, then its tools, arguments and references. Everything that can be
 * known before the first call is checked here, and nothing is called. All problems of one stage are found at
 * once: throws `invalid-pipe`, with `data.problems`.
 */
export function parsePipe(host: Host, options: ParsePipeOptions): Pipe {
  checkOptions(options);
  return compilePipe(host, options);
}

function compilePipe(host: Host, { spec, vars, ...options }: ParsePipeOptions): Pipe {
  const problems: PipeProblem[] = [];
  const pipe = isPipe(spec) ? spec : compileSpec(host, { ...options, spec, problems });
  problems.push(...unknownVars(pipe, vars));
  if (problems.length > 0) throw toPipeError(problems);
  return pipe;
}

/** Checks a spec as `parsePipe` does, and returns what is wrong instead of throwing it. */
export function checkPipe(host: Host, options: ParsePipeOptions): PipeVerdict {
  checkOptions(options, "checkPipe");
  return judgePipe(host, options);
}

/** Checks a spec whose options have been checked. */
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
    flow,
    follow = false,
    kept,
    problems,
  } = options;
  const bounds = resolveLimits(DEFAULT_PIPE_LIMITS, limits);
  const value = readSpec(given);
  const stepCount = countSteps(value, bounds);
  const spec = parseSpec(value);
  const { vars, origins } = varsOf(spec, kept);
  const { maxArgumentBytes } = bounds;
  const offered = tools && new Set(offeredTools(host, tools));
  const parts = { host, author, offered, maxArgumentBytes, flow, problems };
  checkSize(spec.vars ?? {}, { ...parts, at: "vars" });
  const variables = { ...createVariables(vars), ids: new Set<string>() };
  const pipe = compileSteps({ ...spec, vars }, { ...parts, at: "", path: "", variables });
  return { [MARKER]: true, [FLOW]: flow, ...pipe, author, follow, stepCount, origins };
}

/** The names of a run's `vars` that the spec does not have. */
function unknownVars({ vars }: Pipe, given: JsonObject = {}): PipeProblem[] {
  const names = Object.keys(vars);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const message = `the spec has no var of that name; it has ${names.join(", ") || "none"}`;
  return unknown.map((name) => ({ path: `vars.${name}`, message }));
}
