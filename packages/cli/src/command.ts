import type { Readable, Writable } from "node:stream";
import type { Protocol } from "@toolrail/core/connect";
import type { Command } from "commander";
import type { Style } from "./terminal/style.ts";

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

type Texts = "config" | "meta" | "policy" | "vars" | "out";
type Lists = "server" | "header" | "allow";
type Counts = "port" | "maxDepth" | "maxSteps" | "maxParallel" | "timeout";
type Switches = "json" | "debug" | "references" | "graph";

/** The options of every command, and those of single commands, by what is given to them. */
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

/** What a command is run with. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly context: Context;
}

/** What a command has to say, for scripts and for people. */
export interface Outcome {
  /** False for exit code 1: the tool, chain, pipe or guard said no. */
  readonly ok: boolean;
  /** What `--json` prints. Where it is `undefined`, nothing is printed at all. */
  readonly document: unknown;
  /** What is printed without `--json`. */
  readonly text: (style: Style) => string;
}

/** Why a command came to nothing. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A command as the command line shows it; its code is loaded when it is run. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** Arguments and options of this command alone. */
  declare?(command: Command): void;
  /** Loads what runs it, which rejects with `UsageError` for misuse. */
  load(): Promise<(call: CommandCall) => Promise<Outcome>>;
  /** What `--json` prints where the command came to nothing. Default: `{ error }`. */
  toDocument?(failure: Failure, exitCode: 1 | 2): unknown;
}
