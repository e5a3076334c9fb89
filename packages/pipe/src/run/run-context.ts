import type { CallOptions, ChainResult, Host } from "@toolrail/core";
import type { HostReport } from "@toolrail/core/adapter";
import { engineOf, resolveLimits } from "@toolrail/core/adapter";
import type { ParsePipeOptions } from "../compile/check-pipe.ts";
import type { PipeAuthor } from "../compile/compiled-pipe.ts";
import { DEFAULT_PIPE_LIMITS } from "../limits.ts";
import type { Counting } from "../types.ts";
import type { PipeAnswers } from "./paused-pipe.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { PipeJournal } from "./step-stage.ts";

export interface PipeRunOptions extends Pick<CallOptions, "scope" | "context" | "userText"> {
  /** Cancels the calls in flight and lets no other begin; the results so far come back. */
  readonly signal?: AbortSignal | undefined;
  /** The `runId` of every call and event of the run. Default: the host makes one. */
  readonly pipeId?: string | undefined;
  /** Where a model called for the pipe: the id of its tool call, for the events. */
  readonly toolCallId?: string | undefined;
  /** The place of the run, from which those of its calls follow: see `host.call`. Default: its `pipeId`, if given. */
  readonly place?: string | undefined;
  /**
   * True lets the pipe wait where a step needs a person: its result has `paused`, and `resumePipe` goes on. Other steps
   * run on as far as they can without it. Default false: such a step fails.
   */
  readonly pauses?: boolean | undefined;
}

/** What all steps of one run share. */
export interface PipeRun extends PipeRunOptions, Counting {
  readonly pipeId: string;
  readonly follow: boolean;
  readonly author: PipeAuthor;
  readonly inSlot: Slots;
  /** Told of the chain of each tool step before its end is reported. What it throws ends the run. */
  readonly onChain?: (chain: ChainResult) => void;
  /** Takes the events of the run. Absent where nobody listens. */
  readonly report: ((event: HostReport) => void) | undefined;
  now(): number;
  /** Milliseconds since the epoch. */
  readonly endMs: number;
  /** What the run has come to so far. Present where `pauses`, but for engines that keep it elsewhere. */
  readonly journal?: PipeJournal;
  /** What persons have said since it waited. */
  readonly answers?: PipeAnswers;
}

/** Begins a run of a pipe: its clock, its limits and its place among events. */
export function createPipeRun(
  host: Host,
  options: PipeRunOptions & Pick<ParsePipeOptions, "author" | "limits" | "follow">,
): PipeRun {
  const { report, now, newId } = engineOf(host);
  const {
    author = "application",
    follow = false,
    pipeId = newId(),
    place = options.pipeId,
  } = options;
  const limits = resolveLimits(DEFAULT_PIPE_LIMITS, options.limits);
  const inSlot = createSlots(limits.maxParallel);
  const endMs = now() + limits.runTimeoutMs;
  const own = { host, author, follow, pipeId, place, limits, inSlot, report, now, endMs };
  return { ...options, ...own, spent: { steps: 0, calls: 0 } };
}

/** Counts steps or hops. False where they would be too many. */
export function takeSteps(
  { spent, limits }: Pick<Counting, "spent" | "limits">,
  count = 1,
): boolean {
  if (spent.steps + count > limits.maxSteps) return false;
  spent.steps += count;
  return true;
}

/** Reports that a pipe begins, or, where `ok` is given, that it has ended. */
export function reportPipe(
  { report, now, pipeId, author, spent, toolCallId }: PipeRun,
  more: Pick<Extract<HostReport, { type: "pipe" }>, "steps" | "ok" | "elapsedMs" | "code">,
): void {
  report?.({
    type: "pipe",
    stage: more.ok === undefined ? "started" : "ended",
    atMs: now(),
    runId: pipeId,
    author,
    calls: spent.calls,
    ...(toolCallId !== undefined && { toolCallId }),
    ...more,
  });
}
