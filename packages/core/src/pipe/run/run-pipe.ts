import { abortError } from "../../call/call-error.ts";
import { createOptionCheck } from "../../check-options.ts";
import { ToolrailError } from "../../errors.ts";
import type { Host } from "../../host/host.ts";
import { judgePipe, PARSE_OPTIONS, type ParsePipeOptions } from "../compile/check-pipe.ts";
import type { PipeAnswers, PipeResult, PipeRun, PipeRunOptions } from "../types.ts";
import { topVariables } from "../variables/variables.ts";
import { type PausedPipe, type PipeStart, readPaused, toPaused } from "./paused-pipe.ts";
import { createPipeRun, reportPipe } from "./run-context.ts";
import { runSteps } from "./scheduler.ts";

/** The pipe to run, and the options of the run. */
export interface RunPipeOptions extends ParsePipeOptions, PipeRunOptions {}

const WHO = {
  signal: "signal",
  conversation: "id",
  context: "any",
} as const;

const checkRun = /* @__PURE__ */ createOptionCheck<RunPipeOptions>(
  "runPipe",
  {
    ...PARSE_OPTIONS,
    ...WHO,
    pipeId: "text",
    toolCallId: "text",
    key: "id",
    pauses: "boolean",
  },
  { isRequired: true },
);

const checkResume = /* @__PURE__ */ createOptionCheck<ResumePipeOptions>("resumePipe", {
  ...WHO,
  tools: PARSE_OPTIONS.tools,
  paused: "object",
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

/** The pipe that waits, and the answers to it. */
export interface ResumePipeOptions
  extends Pick<PipeRunOptions, "signal" | "conversation" | "context">,
    Pick<ParsePipeOptions, "tools"> {
  /** The `paused` of the result, unchanged. */
  readonly paused: PausedPipe;
  /** The answers by the paths of `paused.asks`: `"approve"`, `{ approve }` or `{ deny }`. A step without one keeps waiting. */
  readonly answers: PipeAnswers;
}

/**
 * Resumes a pipe that waits. It repeats no call, also when the same `paused` is resumed twice: its calls are made once in all
 * processes with the same `store`. All limits apply to the whole run, and `runTimeoutMs` does not count the time that the pipe
 * waited. A step whose tool is not among `tools` now fails. `conversation` may be left out; pass `context` again. Rejects with
 * `invalid-options` for answers to other steps or a changed `paused`, and with `aborted` before it resumes.
 */
export async function resumePipe(host: Host, options: ResumePipeOptions): Promise<PipeResult> {
  checkResume(Object.assign({ paused: null, answers: null }, options));
  const { paused, answers, signal, conversation, ...caller } = options;
  if (signal?.aborted) throw abortError(signal, "Resuming the pipe");
  const { journal, key, ...kept } = readPaused(paused, answers);
  if (conversation !== undefined && conversation !== kept.conversation)
    throw new ToolrailError("invalid-options", OTHER_CONVERSATION);
  const { author, follow } = kept.pipe;
  const run = createPipeRun(host, { ...caller, ...kept, signal, author, follow, pauses: true });
  const endMs = run.endMs - kept.usedMs;
  return runOn({ ...run, key, endMs, journal: new Map(journal), answers }, kept);
}

const OTHER_CONVERSATION =
  "This pipe was begun in another `conversation`: leave it out when you resume the pipe.";

/** Runs a pipe until it ends or waits for a person. With a journal, it continues an earlier run. */
async function runOn(run: PipeRun, start: PipeStart): Promise<PipeResult> {
  const { pipe, vars } = start;
  const startMs = run.now();
  const { waits, ...result } = await runSteps(run, { pipe, variables: topVariables(pipe, vars) });
  const usedMs = start.usedMs + run.now() - startMs;
  if (waits) {
    const paused = toPaused(run, { pipe, vars, usedMs });
    const places = paused.asks.map(({ path }) => path).join(", ");
    return { ...result, error: `The pipe waits for a person at ${places}.`, paused };
  }
  reportPipe(run, { steps: pipe.stepCount, ok: result.ok, elapsedMs: usedMs });
  return result;
}
