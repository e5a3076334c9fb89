import type { Writable } from "node:stream";
import picocolors from "picocolors";

export interface Style {
  readonly colours: ReturnType<typeof picocolors.createColors>;
  /** The number of characters in a line. */
  readonly width: number;
}

const DEFAULT_WIDTH = 100;

/** Uses colours only on a terminal, and never with `NO_COLOR`. */
export function createStyle(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): Style {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return {
    colours: picocolors.createColors(coloured),
    width: stream.columns ?? DEFAULT_WIDTH,
  };
}

/** Writes a duration for people: `3 ms`, `1.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
