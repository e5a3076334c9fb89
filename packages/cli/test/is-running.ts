import { readFileSync } from "node:fs";

/** Whether a process runs. One that has ended and that nobody has taken note of does not. */
export function isRunning(pid: number): boolean {
  try {
    if (process.platform !== "linux") return process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
