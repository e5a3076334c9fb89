import type { CallOptions } from "../../call/call-options.ts";
import type { HostReport } from "../../call/events.ts";
import { resolveLimits } from "../../call/limits.ts";
import type { ToolFilter } from "../../call/tool.ts";
import { engineOf } from "../../host/engine.ts";
import type { Host } from "../../host/host.ts";
import type { Decision } from "../../result/hop.ts";
import type { ParsePipeOptions } from "../compile/check-pipe.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-steps.ts";
import { DEFAULT_PIPE_LIMITS, type PipeAuthor, type PipeLimits } from "../pipe.ts";
import type { StepStage } from "./tool-step.ts";

export interface PipeRunOptions extends Pick<CallOptions, "conversation" | "context"> {
  /** Cancels the calls in flight and starts no more. The result contains the steps so far. */
  readonly signal?: AbortSignal | undefined;
  /** The `runId` of all calls and events of the run. Default: a new id. */
  readonly pipeId?: string | undefined;
  /** The id of the tool call by which a model started the pipe, for the events. */
  readonly toolCallId?: string | undefined;
  /** The idempotency key of the run. Those of its calls are derived from it: see `host.call`. Default: `pipeId`. */
  readonly key?: string | undefined;
}

/** The decisions of persons about waiting steps, by the paths of the steps. */
export type PipeAnswers = { readonly [path: string]: Decision };

/** What all steps of one run share: its host, its limits and what it has counted. */
export interface PipeRun extends PipeRunOptions {
  readonly host: Host;
  readonly limits: PipeLimits;
  readonly pipeId: string;
  readonly author: PipeAuthor;
  readonly tools?: ToolFilter | undefined;
  readonly pauses?: boolean | undefined;
  /** The calls so far. */
  readonly spent: { calls: number };
  /** Makes a call as soon as fewer than `maxParallel` are running, in the order of the requests. */
  inSlot<T>(call: () => Promise<T>): Promise<T>;
  /** Receives the events of the run. Absent if there is no listener. */
  readonly report: ((event: HostReport) => void) | undefined;
  now(): number;
  /** Milliseconds since the epoch. */
  readonly endMs: number;
  /** The progress of the steps by their paths, with which a run resumes and repeats no call. Present with `pauses`. */
  readonly journal?: Map<string, StepStage>;
  /** The paths of the steps that may begin or end now. Default: all. */
  readonly turns?: ReadonlySet<string>;
  /** The decisions of persons since the run waited. */
  readonly answers?: PipeAnswers;
}

/** Starts a run of a pipe with its clock, its limits and its events. */
export function createPipeRun(
  host: Host,
  options: PipeRunOptions &
    Pick<PipeRun, "pauses"> &
    Pick<ParsePipeOptions, "author" | "limits" | "tools">,
): PipeRun {
  const engine = engineOf(host);
  const { now, newId, isOnce } = engine;
  const { author = "application", pipeId = newId() } = options;
  const { key = isOnce ? options.pipeId : undefined } = options;
  const limits = resolveLimits(DEFAULT_PIPE_LIMITS, options.limits);
  const inSlot = createSlots(limits.maxParallel);
  const endMs = now() + limits.runTimeoutMs;
  const report: PipeRun["report"] = (event) => engine.report(event);
  const own = { host, author, pipeId, key, limits, inSlot, report, now, endMs };
  return { ...options, ...own, spent: { calls: 0 } };
}

/** Limits the calls of a whole run to `maxParallel` at the same time, however its groups are nested. */
function createSlots(maxParallel: number): PipeRun["inSlot"] {
  let free = maxParallel;
  const waiting: (() => void)[] = [];
  return async (call) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Reports that a pipe begins or, if `ok` is given, that it has ended. */
export function reportPipe(
  { report, now, pipeId, author, spent, toolCallId }: PipeRun,
  more: Pick<Extract<HostReport, { type: "pipe" }>, "steps" | "ok" | "elapsedMs" | "code">,
): void {
  report?.({
    type: "pipe",
    tool: PIPE_TOOL_NAME,
    baseCost: 0,
    stage: more.ok === undefined ? "started" : "ended",
    atMs: now(),
    runId: pipeId,
    author,
    calls: spent.calls,
    ...(toolCallId !== undefined && { toolCallId }),
    ...more,
  });
}
