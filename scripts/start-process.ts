import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";

/** A program that runs, and what it has printed so far. */
export interface Running {
  readonly lines: readonly string[];
  /** Waits for a line of its output. Rejects, with all of the output, if it ends before or is silent for two minutes. */
  waitFor(line: RegExp): Promise<void>;
  stop(): Promise<void>;
}

interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The pattern of the line with which it reports that it is ready. */
  readonly ready: RegExp;
}

/** Starts a program of Node and waits until it is ready. Rejects with its output if it ends before. */
export async function startProcess({ args, cwd, env, ready }: Start): Promise<Running> {
  // It is a separate process group, since `next dev` starts processes that would outlive it.
  const options = { cwd, env: { ...process.env, ...env }, detached: true };
  const child = spawn(process.execPath, args, options);
  process.once("exit", () => killGroup(child));
  const lines: string[] = [];
  const changed = new EventEmitter();
  const read = (line: string) => {
    lines.push(line);
    changed.emit("line");
  };
  createInterface(child.stdout).on("line", read);
  createInterface(child.stderr).on("line", read);
  const exited = once(child, "exit");
  const waitFor = async (line: RegExp) => {
    while (!lines.some((printed) => line.test(printed))) {
      if (isOver(child)) throw new Error(`${args.join(" ")} ended:\n${lines.join("\n")}`);
      await Promise.race([
        once(changed, "line", { signal: AbortSignal.timeout(SILENCE_MS) }),
        exited,
      ]);
    }
  };
  await waitFor(ready);
  return { lines, waitFor, stop: () => stop(child) };
}

const SILENCE_MS = 120_000;

async function stop(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  const exited = once(child, "exit");
  killGroup(child);
  await exited;
}

function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined && !isOver(child)) process.kill(-child.pid, "SIGKILL");
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
