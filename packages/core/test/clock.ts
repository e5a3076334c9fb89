import { onTestFinished } from "vitest";
import { replaceClock, restoreClock } from "./replace-clock.ts";

/** Replaces the clock of all hosts that are created from now on, until the test ends. */
export function setClock(now: () => number): void {
  replaceClock(now);
  onTestFinished(restoreClock);
}
