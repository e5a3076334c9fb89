import { ToolrailError } from "../errors.ts";
import type { HostEvent } from "../host/events.ts";
import type { Hop } from "../result/hop.ts";
import type { PipeHost } from "./pipe-host.ts";
import { type PipeLimits, resolvePipeLimits } from "./pipe-limits.ts";
import type { PipeAuthor, StepPlan } from "./pipe-plan.ts";
import type { StepResult } from "./pipe-result.ts";
import { createSlots, type Slots } from "./slots.ts";
import { createTimeText } from "./time-text.ts";

/** What all steps of one run share. */
export interface PipeRun {
  readonly host: PipeHost;
  /** The `runId` of every call. */
  readonly pipeId: string;
  readonly author: PipeAuthor;
  readonly limits: PipeLimits;
  readonly signal: AbortSignal | undefined;
  readonly toolCallId: string | undefined;
  readonly slots: Slots;
  /** Writes when a step began. */
  readonly toTimeText: (ms: number) => string;
  /** Milliseconds since the epoch. */
  readonly endMs: number;
  /** Counts up while the run goes on. */
  readonly spent: { steps: number; calls: number; bytes: number };
}

export interface PipeRunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<PipeLimits> | undefined;
  readonly author?: PipeAuthor | undefined;
  readonly pipeId?: string | undefined;
  readonly toolCallId?: string | undefined;
}

export function createPipeRun(host: PipeHost, options: PipeRunOptions): PipeRun {
  const { signal, toolCallId, author = "application", pipeId = host.newId() } = options;
  const limits = resolvePipeLimits(options.limits);
  return {
    host,
    pipeId,
    author,
    limits,
    signal,
    toolCallId,
    slots: createSlots(limits.maxParallel),
    toTimeText: createTimeText(),
    endMs: host.now() + limits.runTimeoutMs,
    spent: { steps: 0, calls: 0, bytes: 0 },
  };
}

/** Counts a step or a hop. False where it would be one too many. */
export function takeStep({ spent, limits }: PipeRun): boolean {
  if (spent.steps >= limits.maxSteps) return false;
  spent.steps++;
  return true;
}

/** Why no further step may begin, or `undefined`. */
export function refuseStep(run: PipeRun): ToolrailError | undefined {
  if (run.signal?.aborted) {
    const cause = run.signal.reason;
    return new ToolrailError("aborted", "The pipe was aborted before this step began.", { cause });
  }
  if (takeStep(run)) return undefined;
  return new ToolrailError(
    "pipe-limit",
    `The pipe has made ${run.limits.maxSteps} steps, hops included, and may make no more (limits.maxSteps).`,
  );
}

/** Reports that a step begins, and says when. */
export function beginStep(run: PipeRun, step: StepPlan): number {
  const { host } = run;
  const atMs = host.now();
  if (host.report) reportStep(run, step, { stage: "started", atMs });
  return atMs;
}

type Ending<Result extends StepResult> = Pick<Result, "kind" | "error"> &
  Omit<Result, "id" | "ok" | "started_at" | "duration_ms">;

/** Reports that a step has ended, and the calls of a tool step, and makes its result. */
export function endStep<Result extends StepResult>(
  run: PipeRun,
  step: StepPlan,
  startMs: number,
  ending: Ending<Result>,
  calls = "hops" in ending ? (ending.hops as readonly Hop[]) : undefined,
): Result {
  const { host } = run;
  const atMs = host.now();
  const elapsedMs = atMs - startMs;
  const ok = ending.error === "";
  if (host.report) {
    const callIds = calls?.map(({ callId }) => callId);
    reportStep(run, step, { stage: "ended", atMs, ok, elapsedMs, ...(callIds && { callIds }) });
  }
  const { kind, error, ...data } = ending;
  const result = {
    id: step.id,
    kind,
    ok,
    error,
    ...data,
    started_at: run.toTimeText(startMs),
    duration_ms: Math.round(elapsedMs * 100) / 100,
  };
  return result as unknown as Result;
}

type StepEvent = Extract<HostEvent, { type: "step" }>;

function reportStep(
  { host, pipeId }: PipeRun,
  { path, kind }: StepPlan,
  more: Omit<StepEvent, "type" | "runId" | "path" | "kind">,
): void {
  host.report?.({ type: "step", runId: pipeId, path, kind, ...more });
}

type PipeEvent = Extract<HostEvent, { type: "pipe" }>;

/** Reports that a pipe begins, or, where `ok` is given, that it has ended. */
export function reportPipe(
  { host, pipeId, author, spent, toolCallId }: PipeRun,
  more: Pick<PipeEvent, "steps" | "ok" | "elapsedMs" | "code">,
): void {
  host.report?.({
    type: "pipe",
    stage: more.ok === undefined ? "started" : "ended",
    atMs: host.now(),
    runId: pipeId,
    author,
    calls: spent.calls,
    ...(toolCallId !== undefined && { toolCallId }),
    ...more,
  });
}
