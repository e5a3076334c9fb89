import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Returns the milliseconds that the tests of a file would have taken if no other program had used the machine. */
    ownMs?: number;
  }
}

/** The real one, also for tests that replace it. */
const readMs = performance.now.bind(performance);
let start = now();

beforeAll(() => {
  start = now();
});

afterEach(({ task }) => {
  const { wallMs, ranNs, waitedNs } = now();
  const [ran, waited] = [ranNs - start.ranNs, waitedNs - start.waitedNs];
  task.file.meta.ownMs = (wallMs - start.wallMs) * (ran > 0 ? ran / (ran + waited) : 1);
});

afterAll(() => {
  // The files that follow share this process, and some wait until time has passed.
  if (Math.abs(performance.now() - readMs()) > 1_000)
    throw new Error("This file has replaced the clock: bring it back with restoreClock.");
});

/** The time, and for how long this process has run on a core and waited for one. Only Linux reports the last two. */
function now() {
  const [ranNs = 0, waitedNs = 0] = schedulerTimes();
  return { wallMs: readMs(), ranNs, waitedNs };
}

function schedulerTimes(): number[] {
  try {
    return readFileSync("/proc/self/schedstat", "utf8").split(" ").map(Number);
  } catch {
    return [];
  }
}
