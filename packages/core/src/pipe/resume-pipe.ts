import type { Host } from "../host/host.ts";
import { takePipe } from "./paused-pipe.ts";
import type { PipeAnswers } from "./pipe-journal.ts";
import type { PipeResult } from "./pipe-result.ts";
import { createPipeRun, type PipeRunOptions } from "./pipe-run.ts";
import { runOn } from "./run-pipe.ts";

/** Which pause `resumePipe` ends, and with which answers. */
export interface ResumePipeOptions
  extends Pick<PipeRunOptions, "signal" | "scope" | "context" | "userText"> {
  /** The `paused.id` of the result: it holds for this pause, and once. */
  readonly id: string;
  /** By the paths of `paused.asks`: `"approve"`, `{ deny }` or `{ input }`. A step without one goes on waiting. */
  readonly answers: PipeAnswers;
}

/**
 * Goes on with a pipe that waits, in any process with the same `store`. No call that was made is made again, and all
 * limits hold over the whole run; `runTimeoutMs` does not count the time that it waited. Rejects with `unknown-hop`
 * where no such pipe waits any more, and with `invalid-options` for answers to something else: then it still waits.
 */
export async function resumePipe(host: Host, options: ResumePipeOptions): Promise<PipeResult> {
  const { answers, signal, scope, context, userText } = options;
  const { journal, ...kept } = await takePipe(host, options);
  const { pipe, usedMs, limits, pipeId, toolCallId, place, follow } = kept;
  const ids = { pipeId, toolCallId, scope };
  const given = { author: pipe.author, limits, follow, signal, context, userText, ...ids };
  const run = createPipeRun(host, given);
  const endMs = run.endMs - usedMs;
  return runOn({ ...run, place, endMs, journal: new Map(journal), answers }, kept);
}
