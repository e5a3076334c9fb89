import picocolors from "picocolors";
import type { Output } from "../context.ts";

/** How text for people is written to one stream. */
export interface Style {
  readonly colours: ReturnType<typeof picocolors.createColors>;
  /** Characters in a line. */
  readonly width: number;
}

const DEFAULT_WIDTH = 100;

/** Colours on a terminal alone, and never with `NO_COLOR`. */
export function createStyle(stream: Output, env: NodeJS.ProcessEnv): Style {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return {
    colours: picocolors.createColors(coloured),
    width: stream.columns ?? DEFAULT_WIDTH,
  };
}
