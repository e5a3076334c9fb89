import type { CompiledPipe, Origins, PipeAuthor, PipeFlow } from "./types.ts";

/** The key under which a pipe holds its extension. It is a symbol, so that no JSON of a pipe has it. */
export const FLOW: unique symbol = Symbol.for("toolrail.pipe.flow");

export const MARKER: unique symbol = Symbol.for("toolrail.pipe");

/** A checked pipe, ready to run as often as wanted. Made by `parsePipe`. */
export interface Pipe extends CompiledPipe {
  readonly [MARKER]: true;
  /** The `flow()` that it was checked with, and runs with. */
  readonly [FLOW]?: PipeFlow | undefined;
  readonly author: PipeAuthor;
  /** See `ParsePipeOptions`. */
  readonly follow: boolean;
  /** Steps in all: groups, children and nested steps count. */
  readonly stepCount: number;
  /** The sources of its vars that are kept results. */
  readonly origins: Origins;
}

/** True for what `parsePipe` made, also when it comes from another copy of the package. */
export function isPipe(value: unknown): value is Pipe {
  return typeof value === "object" && value !== null && MARKER in value;
}
