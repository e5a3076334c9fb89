import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Failure, Outcome } from "../outcome.ts";
import type { Flags } from "./flags.ts";

/** What a command is run with. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly context: Context;
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
