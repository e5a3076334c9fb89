import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Failure, Outcome } from "../outcome.ts";
import type { Flags } from "./flags.ts";

/** Runs a command. Rejects with `UsageError` for misuse. */
type RunCommand = (args: readonly string[], flags: Flags, context: Context) => Promise<Outcome>;

/** A command as the command line shows it; its code is loaded when it is run. */
export interface CommandSpec {
  readonly name: string;
  /** As commander writes them: `<needed> [optional]`. */
  readonly arguments: readonly { readonly syntax: string; readonly about: string }[];
  readonly about: string;
  readonly examples: readonly string[];
  /** Options of this command alone. */
  addOptions?(command: Command): void;
  load(): Promise<RunCommand>;
  /** What `--json` prints where the command came to nothing. */
  toDocument(failure: Failure, exitCode: 1 | 2): unknown;
}
