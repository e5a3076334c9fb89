import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const SERVER = fileURLToPath(new URL("./fixtures/stdio-server.ts", import.meta.url));

/** The command line of the fixture server, for `--server`. */
export const FIXTURE = `"${process.execPath}" --conditions=@toolrail/source "${SERVER}"`;

/** A finished run of the real command. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export function startCli(args: readonly string[], options: CliOptions = {}): ChildProcess {
  const child = spawn(process.execPath, ["--conditions=@toolrail/source", BIN, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill());
  return child;
}

/** Runs `toolrail` in a process of its own. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return finishCli(startCli(args, options), options.stdin);
}

export async function finishCli(child: ChildProcess, stdin = ""): Promise<CliRun> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("the command has no output");
  child.stdin?.end(stdin);
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { code: await code, stdout: out, stderr: err };
}

/** Runs with `--json` and reads the document; fails where standard output is not exactly one. */
export async function runJson(
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ code: number | null; document: unknown; stderr: string }> {
  const { code, stdout, stderr } = await runCli([...args, "--json"], options);
  return { code, document: JSON.parse(stdout), stderr };
}
