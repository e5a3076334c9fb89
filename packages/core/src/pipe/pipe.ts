import type { CompiledPipe, PipeAuthor } from "./types.ts";

export const MARKER: unique symbol = Symbol.for("toolrail.pipe");

/** A checked pipe that may be run many times. `parsePipe` creates it. */
export interface Pipe extends CompiledPipe {
  readonly [MARKER]: true;
  readonly author: PipeAuthor;
  /** See `ParsePipeOptions`. */
  readonly follow: boolean;
  /** The number of steps, including groups, children and nested steps. */
  readonly stepCount: number;
}

/** Returns true for a pipe that `parsePipe` created, also in another copy of the package. */
export function isPipe(value: unknown): value is Pipe {
  return typeof value === "object" && value !== null && MARKER in value;
}
