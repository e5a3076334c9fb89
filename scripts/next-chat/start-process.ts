import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program that runs, and what it has printed so far. */
export interface Running {
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A line of its output that says that it is ready. */
  readonly ready: RegExp;
}

/** Starts a program of Node, and waits until it says that it is ready. Rejects with its output where it ends before. */
export async function startProcess({ args, cwd, env, ready }: Start): Promise<Running> {
  // A group of its own: `next dev` starts processes that would outlive it.
  const options = { cwd, env: { ...process.env, ...env }, detached: true };
  const child = spawn(process.execPath, args, options);
  process.once("exit", () => killGroup(child));
  const lines: string[] = [];
  const isReady = new Promise<void>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line);
      if (ready.test(line)) resolve();
    };
    createInterface(child.stdout).on("line", read);
    createInterface(child.stderr).on("line", read);
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended:\n${lines.join("\n")}`)));
  });
  await isReady;
  return { lines, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  killGroup(child);
  await exited;
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}
