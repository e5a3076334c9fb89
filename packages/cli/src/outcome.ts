import type { Style } from "./terminal/style.ts";

/** What a command has to say, for scripts and for people. */
export interface Outcome {
  /** False for exit code 1: the tool, chain, pipe or guard said no. */
  readonly ok: boolean;
  /** What `--json` prints. */
  readonly document: unknown;
  /** What is printed without `--json`. */
  readonly text: (style: Style) => string;
}

/** Why a command came to nothing. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
