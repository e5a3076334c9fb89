import type { ToolRef } from "../call/tool.ts";
import type { JsonObject } from "../json/json.ts";

interface Placed {
  readonly id: string;
  /** The path of the step in the run: `steps.pages.children.p1`. */
  readonly path: string;
}

/** A step that calls a tool, after all that can be checked before the first call. */
export interface CompiledToolStep extends Placed {
  readonly kind: "tool";
  readonly tool: ToolRef;
  /** The arguments, with references. */
  readonly args: JsonObject;
}

/** A group of steps that run at the same time. */
export interface CompiledGroup extends Placed {
  readonly kind: "parallel";
  readonly children: readonly CompiledStep[];
}

/** A pipe as a step of another. */
export interface CompiledNested extends Placed {
  readonly kind: "pipe";
  readonly pipe: CompiledPipe;
}

/** A step with checked tools and references. */
export type CompiledStep = CompiledToolStep | CompiledGroup | CompiledNested;

/** A list of steps with checked tools and references. Every engine runs it. */
export interface CompiledPipe {
  /** The path of the step that contains this pipe. Empty at the top. */
  readonly path: string;
  /** The pipe's own `vars`. The `vars` of the outer pipe are visible too. */
  readonly vars: JsonObject;
  readonly steps: readonly CompiledStep[];
  /** The value to return, with references. */
  readonly returns: unknown;
  readonly continueOnError: boolean;
}

/** The author of a pipe. A pipe by `"model"` cannot call tools for the application alone. @inline */
export type PipeAuthor = "application" | "model";

export const MARKER: unique symbol = Symbol.for("toolrail.pipe");

/** A checked pipe that may be run many times. `parsePipe` creates it. */
export interface Pipe extends CompiledPipe {
  readonly [MARKER]: true;
  readonly author: PipeAuthor;
  /** The number of steps, including groups, children and nested steps. */
  readonly stepCount: number;
}

/** Returns true for a pipe that `parsePipe` created, also in another copy of the package. */
export function isPipe(value: unknown): value is Pipe {
  return typeof value === "object" && value !== null && MARKER in value;
}

/** Limits of one pipe. All are whole numbers from 1. `runTimeoutMs` is at most 2,147,483,647. */
export interface PipeLimits {
  /** The maximum number of steps: groups, children and nested steps. Default 50. */
  readonly maxSteps: number;
  /** The maximum depth. The top level is 0, and each nested pipe or group adds one. Default 5. */
  readonly maxDepth: number;
  /** The maximum number of calls at the same time in a run. Default 8. */
  readonly maxParallel: number;
  /** The maximum size in bytes of the arguments of one step as JSON text. Default 1 MiB. The host's own limit also applies. */
  readonly maxArgumentBytes: number;
  /**
   * The maximum size in bytes of all results of a run, and of `result`, as JSON text. Default 16 MiB. The steps of a parallel
   * group are counted when all have ended, in the order of the spec, so that timing does not decide which results are dropped.
   */
  readonly maxKeptBytes: number;
  /** The maximum time of a run in milliseconds. Default 10 min. */
  readonly runTimeoutMs: number;
}

/** The default limits of a pipe. */
export const DEFAULT_PIPE_LIMITS: PipeLimits = {
  maxSteps: 50,
  maxDepth: 5,
  maxParallel: 8,
  maxArgumentBytes: 1_048_576,
  maxKeptBytes: 16_777_216,
  runTimeoutMs: 600_000,
};
