import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runToolrail } from "../src/run-toolrail.ts";
import type { CliRun } from "./run-cli.ts";

/** Runs `toolrail` inside the test: quicker than a process, and the same but for signals. */
export async function runHere(args: readonly string[], stdin = ""): Promise<CliRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await runToolrail(args, {
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    env: {},
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}

/** Runs with `--json` and reads the document; fails where standard output is not exactly one. */
export async function runHereJson(args: readonly string[], stdin?: string) {
  const { code, stdout, stderr } = await runHere([...args, "--json"], stdin);
  return { code, document: JSON.parse(stdout) as unknown, stderr };
}
