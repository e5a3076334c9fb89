import { abortError } from "../../call/call-error.ts";
import { createOptionCheck } from "../../check-options.ts";
import type { Host } from "../../host/host.ts";
import { judgePipe, PARSE_OPTIONS, type ParsePipeOptions } from "../compile/check-pipe.ts";
import type { PipeAnswers, PipeResult, PipeRun, PipeRunOptions } from "../types.ts";
import { topVariables } from "../variables/variables.ts";
import { type PipeStart, pausePipe, takePipe } from "./paused-pipe.ts";
import { createPipeRun, reportPipe } from "./run-context.ts";
import { runSteps } from "./scheduler.ts";

/** The pipe to run, and the options of the run. */
export interface RunPipeOptions extends ParsePipeOptions, PipeRunOptions {}

const WHO = {
  signal: "signal",
  conversation: "id",
  context: "any",
} as const;

const checkRun = /* @__PURE__ */ createOptionCheck<RunPipeOptions>("runPipe", {
  ...PARSE_OPTIONS,
  ...WHO,
  pipeId: "text",
  toolCallId: "text",
  key: "id",
  pauses: "boolean",
});

const checkResume = /* @__PURE__ */ createOptionCheck<ResumePipeOptions>("resumePipe", {
  ...WHO,
  tools: PARSE_OPTIONS.tools,
  id: "text",
  answers: "object",
});

/**
 * Runs a pipe, which may be parsed already. A failure is a result with `ok: false` and every step that ran. Rejects only with
 * `invalid-options`.
 */
export async function runPipe(host: Host, options: RunPipeOptions): Promise<PipeResult> {
  checkRun(options);
  const verdict = judgePipe(host, options);
  if (!verdict.ok) {
    const { error, problems } = verdict;
    reportPipe(createPipeRun(host, options), { steps: 0, ok: false, code: error.code });
    return { ok: false, error: error.message, result: null, steps: {}, problems };
  }
  const { pipe } = verdict;
  const { author, follow } = pipe;
  const run = createPipeRun(host, { ...options, author, follow });
  reportPipe(run, { steps: pipe.stepCount });
  // A run that was kept may be continued twice: it makes each of its calls once.
  const journal = options.pauses ? { journal: new Map(), key: run.key ?? run.pipeId } : {};
  return runOn({ ...run, ...journal }, { pipe, vars: options.vars ?? {}, usedMs: 0 });
}

/** The pause to end, and the answers to it. */
export interface ResumePipeOptions
  extends Pick<PipeRunOptions, "signal" | "conversation" | "context">,
    Pick<ParsePipeOptions, "tools"> {
  /** The `paused.id` of the result. It is valid once, and for this pause only. */
  readonly id: string;
  /** The answers by the paths of `paused.asks`: `"approve"`, `{ approve }` or `{ deny }`. A step without one keeps waiting. */
  readonly answers: PipeAnswers;
}

/**
 * Resumes a pipe that waits, in any process with the same `store`. It repeats no call, and all limits apply to the whole run.
 * A step whose tool is not among `tools` now fails. `runTimeoutMs` does not count the time that the pipe waited. Rejects with
 * `unknown-hop` if the pipe no longer waits, with `invalid-options` for answers to other steps, and with `aborted` before it
 * resumes. In the last two cases the pipe keeps waiting.
 */
export async function resumePipe(host: Host, options: ResumePipeOptions): Promise<PipeResult> {
  checkResume(Object.assign({ answers: null }, options));
  const { answers, signal } = options;
  if (signal?.aborted) throw abortError(signal, "Resuming the pipe");
  const { journal, key, ...kept } = await takePipe(host, options);
  const { author, follow } = kept.pipe;
  const run = createPipeRun(host, { ...options, ...kept, author, follow, pauses: true });
  const endMs = run.endMs - kept.usedMs;
  return runOn({ ...run, key, endMs, journal: new Map(journal), answers }, kept);
}

/** Runs a pipe until it ends or waits for a person. With a journal, it continues an earlier run. */
async function runOn(run: PipeRun, start: PipeStart): Promise<PipeResult> {
  const { pipe, vars } = start;
  const startMs = run.now();
  const { waits, ...result } = await runSteps(run, { pipe, variables: topVariables(pipe, vars) });
  const usedMs = start.usedMs + run.now() - startMs;
  const end = waits ? { ...result, ...(await pausePipe(run, { ...start, usedMs })) } : result;
  if (!end.paused) reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs: usedMs });
  return end;
}
