import { inspect } from "node:util";
import type { Context, Failure } from "./command.ts";
import { findSpec, parseArgv } from "./program.ts";
import { createStyle } from "./terminal/style.ts";

/** The exit code. 0: done. 1: the tool, chain, pipe, guard or check refused or failed. 2: misuse. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line (without the names of Node and the script) and returns the exit code of the process. Never rejects. With
 * `--json`, exactly one JSON document is written to `stdout`.
 */
export async function runToolrail(argv: readonly string[], context: Context): Promise<ExitCode> {
  const { stdout, stderr, env, signal } = context;
  try {
    const invocation = parseArgv(argv);
    if (typeof invocation === "string") {
      await write(stdout, invocation);
      return 0;
    }
    const { spec, args, flags } = invocation;
    const run = await spec.load();
    const { ok, document, text } = await run({ args, flags, context });
    const shown = flags.json ? await toJson(document) : `${text(createStyle(stdout, env))}\n`;
    await write(stdout, shown);
    return ok ? 0 : 1;
  } catch (error) {
    const failure = signal.aborted ? CANCELLED : toFailure(error);
    // If a host refuses its options, the command line was wrong.
    const exitCode = ["usage", "invalid-options"].includes(failure.code) ? 2 : 1;
    if (argv.includes("--json")) {
      const document = findSpec(argv)?.toDocument?.(failure, exitCode) ?? { error: failure };
      await write(stdout, await toJson(document));
    }
    const { message, plainText } = await import("./terminal/plain-text.ts");
    await write(stderr, message(failure.message));
    if (argv.includes("--debug")) await write(stderr, `${plainText(inspect(error))}\n`);
    return exitCode;
  }
}

const CANCELLED: Failure = { code: "aborted", message: "The command was cancelled." };

/** Describes an error. The core's error class is not imported, so that the command starts quickly. */
function toFailure(error: unknown): Failure {
  const { name, message, code } = Object(error) as Error & Failure;
  if (name === "UsageError" || name === "ToolrailError") return { code, message };
  const what = `Internal error (bug in toolrail): ${message ?? error}. See --debug.`;
  return { code: "internal", message: what };
}

const LONG_HIDDEN = /(?=[\u{10000}-\u{10ffff}])\p{Default_Ignorable_Code_Point}/gu;

/** Writes JSON. Escapes characters that would control a terminal, as JSON allows. */
async function toJson(document: unknown): Promise<string> {
  const { plainText } = await import("@toolrail/json");
  // JSON has no code for a character beyond 16 bits, but one for each of its two halves.
  const json = JSON.stringify(document, null, 2).replace(LONG_HIDDEN, (pair) =>
    Array.from({ length: 2 }, (_, at) => `\\u${pair.charCodeAt(at).toString(16)}`).join(""),
  );
  return `${plainText(json)}\n`;
}

/** Resolves when the text is written. It is no error if the reader has closed the stream. */
function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
