import type { CompiledPipe, Origins, PipeAuthor, PipeFlow } from "./types.ts";

/** The key of a pipe's extension. It is a symbol, so that no JSON contains it. */
export const FLOW: unique symbol = Symbol.for("toolrail.pipe.flow");

export const MARKER: unique symbol = Symbol.for("toolrail.pipe");

/** A checked pipe that may be run many times. `parsePipe` creates it. */
export interface Pipe extends CompiledPipe {
  readonly [MARKER]: true;
  /** The result of `flow()` with which the pipe was checked and runs. */
  readonly [FLOW]?: PipeFlow | undefined;
  readonly author: PipeAuthor;
  /** See `ParsePipeOptions`. */
  readonly follow: boolean;
  /** The number of steps, including groups, children and nested steps. */
  readonly stepCount: number;
  /** The sources of the vars that are stored results. */
  readonly origins: Origins;
}

/** Returns true for a pipe that `parsePipe` created, also in another copy of the package. */
export function isPipe(value: unknown): value is Pipe {
  return typeof value === "object" && value !== null && MARKER in value;
}
