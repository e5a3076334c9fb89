import type { Readable, Writable } from "node:stream";
import type { Protocol } from "@toolrail/core/connect";
import type { Command } from "commander";
import type { Style } from "./terminal/style.ts";

/** A stream for output. A terminal has `isTTY` and a width. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The parts of the process that a command may use. */
export interface Context {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** The signal that Ctrl-C aborts. */
  readonly signal: AbortSignal;
}

type Texts = "config" | "meta" | "policy" | "vars";
type Lists = "server" | "header" | "allow";
type Counts = "maxDepth" | "maxSteps" | "maxParallel" | "timeout";
type Switches = "json" | "debug" | "references";

/** The values of all options: those of every command, and those of single commands. */
export type Flags = Readonly<
  Partial<
    Record<Texts, string> &
      Record<Lists, readonly string[]> &
      Record<Counts, number> &
      Record<Switches, boolean> & {
        protocol: Protocol;
        engine: "core" | "langgraph";
        profile: "mcp" | "contract";
      }
  >
>;

/** The arguments, options and process of a command's run. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly context: Context;
}

/** The outcome of a command, for scripts and for people. */
export interface Outcome {
  /** The exit code is 0 if true, and 1 if false: the tool, chain, pipe or guard refused or failed. */
  readonly ok: boolean;
  /** The document for `--json`. */
  readonly document: unknown;
  /** Renders the output without `--json`. */
  readonly text: (style: Style) => string;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A command on the command line. Its code is loaded when it runs. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** Declares the arguments and options of this command alone. */
  declare?(command: Command): void;
  /** Loads the function that runs the command. It rejects with `UsageError` for misuse. */
  load(): Promise<(call: CommandCall) => Promise<Outcome>>;
  /** Creates the document for `--json` if the command failed. Default: `{ error }`. */
  toDocument?(failure: Failure, exitCode: 1 | 2): unknown;
}
