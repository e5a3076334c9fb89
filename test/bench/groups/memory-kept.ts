import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Several are opened, so that what else comes and goes meanwhile counts less. */
const OPENED = 5;

/** The megabytes that what was opened takes, once all else is collected. */
export async function measureKept(open: () => Promise<object>): Promise<number> {
  await collect();
  const before = process.memoryUsage().heapUsed;
  const opened = [];
  for (let at = 0; at < OPENED; at++) opened.push(await open());
  await collect();
  const kept = process.memoryUsage().heapUsed - before;
  return kept / opened.length / 1_000_000;
}

const COLLECTIONS = 6;

/** Collects again and again: what was awaited is let go of one turn later. */
async function collect(): Promise<void> {
  for (let at = 0; at < COLLECTIONS; at++) {
    await setImmediate();
    collectOnce();
  }
}

let gc: (() => void) | undefined;

/** Collects garbage. */
export function collectOnce(): void {
  setFlagsFromString("--expose-gc");
  gc ??= runInNewContext("gc") as () => void;
  gc();
}
