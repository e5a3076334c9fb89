import type { Host } from "@toolrail/core";
import { drawMermaid, parsePipe, runPipe } from "@toolrail/pipe";
import { twoTopics } from "./specs.ts";

/** A nested pipe before it runs: nothing is called. */
export function drawPipe(host: Host): string {
  return drawMermaid(parsePipe(host, { spec: twoTopics }));
}

/**
 * The same pipe after a run in which one of the pages was gone. The other topic ran to its end, and its page is kept in the
 * result. The steps that needed both were not begun.
 */
export async function drawRun(host: Host): Promise<string> {
  const pipe = parsePipe(host, { spec: twoTopics });
  return drawMermaid(pipe, await runPipe(host, { spec: pipe, vars: { two: "gopher" } }));
}
