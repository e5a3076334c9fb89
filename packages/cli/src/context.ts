import type { Readable, Writable } from "node:stream";

/** A stream that a command writes to; a terminal has `isTTY` and a width. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command may touch of the process that it runs in. */
export interface Context {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
