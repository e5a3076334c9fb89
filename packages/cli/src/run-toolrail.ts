import type { Context } from "./context.ts";
import type { Failure } from "./outcome.ts";
import { findSpec, parseArgv } from "./program.ts";
import { message } from "./terminal/plain-text.ts";
import { createStyle } from "./terminal/style.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

/** 0: done. 1: the tool, chain, pipe, guard or check said no. 2: misuse. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line (without the names of Node and the script) and says how the process should
 * end. Never rejects. With `--json` exactly one JSON document goes to `stdout`.
 */
export async function runToolrail(argv: readonly string[], context: Context): Promise<ExitCode> {
  const { stdout, env } = context;
  try {
    const invocation = parseArgv(argv, VERSION);
    if (invocation.type === "print") {
      await write(stdout, invocation.text);
      return 0;
    }
    const { spec, args, flags } = invocation;
    const run = await spec.load();
    const outcome = await run(args, flags, context);
    const text = flags.json
      ? JSON.stringify(outcome.document, null, 2)
      : outcome.text(createStyle(stdout, env));
    await write(stdout, `${text}\n`);
    return outcome.ok ? 0 : 1;
  } catch (error) {
    return await report(error, argv, context);
  }
}

async function report(
  error: unknown,
  argv: readonly string[],
  { stdout, stderr, signal }: Context,
): Promise<ExitCode> {
  const failure = signal.aborted
    ? { code: "aborted", message: "The command was cancelled." }
    : toFailure(error);
  const exitCode = !signal.aborted && isMisuse(error) ? 2 : 1;
  if (argv.includes("--json")) {
    const document = findSpec(argv)?.toDocument(failure, exitCode) ?? { error: failure };
    await write(stdout, `${JSON.stringify(document, null, 2)}\n`);
  }
  await write(stderr, message(failure.message));
  if (argv.includes("--debug") && error instanceof Error) {
    const { inspect } = await import("node:util");
    await write(stderr, `${inspect(error)}\n`);
  }
  return exitCode;
}

function toFailure(error: unknown): Failure {
  if (UsageError.isInstance(error)) return { code: "usage", message: error.message };
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code !== undefined) return { code, message };
  return { code: "internal", message: `This is a mistake in toolrail: ${message} (see --debug)` };
}

/** A host that refuses its options was given a wrong command line. */
function isMisuse(error: unknown): boolean {
  return UsageError.isInstance(error) || codeOf(error) === "invalid-options";
}

/** The code of a `ToolrailError`, whose class is not loaded here for the sake of a quick start. */
function codeOf(error: unknown): string | undefined {
  const isToolrails = error instanceof Error && error.name === "ToolrailError" && "code" in error;
  return isToolrails ? String(error.code) : undefined;
}

/** Resolves when the text is on its way; a reader that has gone away is no mistake. */
function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
