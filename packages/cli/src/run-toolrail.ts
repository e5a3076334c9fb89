import type { Readable, Writable } from "node:stream";
import { inspect } from "node:util";
import { runCall } from "./call.ts";
import { runCheck } from "./check.ts";
import { type CommandLine, type CommandName, parseCommandLine } from "./command-line.ts";
import { runGuard } from "./guard.ts";
import { runPipeCommand } from "./pipe.ts";
import { createStyle, message, type Style } from "./terminal.ts";
import { runTools } from "./tools.ts";

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

/** A run of a command. */
export interface CommandCall extends CommandLine {
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

/** The exit code. 0: done. 1: the tool, chain, pipe, guard or check refused or failed. 2: misuse. */
export type ExitCode = 0 | 1 | 2;

const RUNS: Readonly<Record<CommandName, (call: CommandCall) => Promise<Outcome>>> = {
  tools: runTools,
  call: runCall,
  pipe: runPipeCommand,
  guard: runGuard,
  check: runCheck,
};

/**
 * Runs one command line (without the names of Node and the script) and returns the exit code of the process. Never rejects. With
 * `--json`, exactly one JSON document is written to `stdout`.
 */
export async function runToolrail(argv: readonly string[], context: Context): Promise<ExitCode> {
  const { stdout, stderr, env, signal } = context;
  try {
    const line = parseCommandLine(argv);
    if (typeof line === "string") {
      await write(stdout, line);
      return 0;
    }
    const { ok, document, text } = await RUNS[line.command]({ ...line, context });
    const shown = line.flags.json ? toJson(document) : `${text(createStyle(stdout, env))}\n`;
    await write(stdout, shown);
    return ok ? 0 : 1;
  } catch (error) {
    const failure = signal.aborted ? CANCELLED : toFailure(error);
    // If a host refuses its options, the command line was wrong.
    const exitCode = ["usage", "invalid-options"].includes(failure.code) ? 2 : 1;
    if (argv.includes("--json")) await write(stdout, toJson({ error: failure }));
    await write(stderr, message(failure.message));
    return exitCode;
  }
}

const CANCELLED = { code: "aborted", message: "The command was cancelled." };

function toFailure(error: unknown): typeof CANCELLED {
  const { name, message, code } = Object(error) as Error & typeof CANCELLED;
  if (name === "UsageError" || name === "ToolrailError") return { code, message };
  return { code: "internal", message: `Internal error (bug in toolrail): ${inspect(error)}` };
}

/** Writes JSON in ASCII, since other characters could control a terminal or hide. */
function toJson(document: unknown): string {
  const json = JSON.stringify(document, null, 2);
  const toCode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${json.replace(/[^\n -~]/g, toCode)}\n`;
}

/** Resolves when the text is written. It is no error if the reader has closed the stream. */
function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
