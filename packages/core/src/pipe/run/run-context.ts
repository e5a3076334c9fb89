import { resolveLimits } from "../../call/limits.ts";
import type { Host } from "../../host/host.ts";
import { engineOf } from "../../host/host-engine.ts";
import type { HostReport } from "../../types/events.ts";
import type { ParsePipeOptions } from "../compile/check-pipe.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-tool-step.ts";
import { DEFAULT_PIPE_LIMITS } from "../limits.ts";
import type { PipeRun, PipeRunOptions, Slots } from "../types.ts";

/** Starts a run of a pipe with its clock, its limits and its events. */
export function createPipeRun(
  host: Host,
  options: Omit<PipeRunOptions, "pauses"> &
    Pick<PipeRun, "pauses"> &
    Pick<ParsePipeOptions, "author" | "limits" | "follow" | "tools">,
): PipeRun {
  const { report, now, newId, isOnce } = engineOf(host);
  const {
    author = "application",
    follow = false,
    pipeId = newId(),
    key = isOnce ? options.pipeId : undefined,
  } = options;
  const limits = resolveLimits(DEFAULT_PIPE_LIMITS, options.limits);
  const inSlot = createSlots(limits.maxParallel);
  const endMs = now() + limits.runTimeoutMs;
  const own = { host, author, follow, pipeId, key, limits, inSlot, report, now, endMs };
  return { ...options, ...own, spent: { steps: 0, calls: 0 } };
}

/** Counts a step or a hop. Returns false if it would exceed the limit. */
export function takeStep({ spent, limits }: PipeRun): boolean {
  if (spent.steps >= limits.maxSteps) return false;
  spent.steps++;
  return true;
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

/** Limits the calls of a whole run to `maxParallel` at the same time, however its groups are nested. */
function createSlots(maxParallel: number): Slots {
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
