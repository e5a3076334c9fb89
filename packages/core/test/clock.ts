import { onTestFinished } from "vitest";
import { replaceClock } from "./replace-clock.ts";

/** Replaces the clock of all hosts that are created from now on, until the test ends. */
export function setClock(now: () => number): void {
  onTestFinished(replaceClock(now));
}
