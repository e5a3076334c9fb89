import { setImmediate } from "node:timers/promises";
import { createValidator, type Host, type HostOptions, type HostTool } from "@toolrail/core";
import { type ExerciseResult, exerciseTool } from "./exercise-tool.ts";

const MAX_CALLS_PER_TOOL = 20;
const MAX_CALLS = 500;
const MAX_MS = 120_000;
const CALL_TIMEOUT_MS = 10_000;
const MAX_RESULT_BYTES = 1_048_576;

/**
 * Options of a host that sends arguments which a server must refuse: schemas among `inputs`, once they are
 * known, are not checked. No call takes longer than `timeoutMs` (default 10 s).
 */
export function exerciseOptions(
  inputs: ReadonlySet<object>,
  timeoutMs = CALL_TIMEOUT_MS,
): Pick<HostOptions, "validator" | "limits"> {
  const strict = createValidator();
  const accept = (data: unknown) => ({ valid: true, data, errorMessage: undefined }) as const;
  return {
    validator: {
      getValidator: (schema) => (inputs.has(schema) ? accept : strict.getValidator(schema)),
    },
    limits: {
      callTimeoutMs: timeoutMs,
      callTotalTimeoutMs: timeoutMs,
      maxResultBytes: MAX_RESULT_BYTES,
    },
  };
}

/**
 * Exercises the tools of a host one after the other: at most 20 calls of a tool, 500 calls and 2 minutes
 * in all. A tool that is not read-only is called only where `all` says so. Rejects when the signal says so.
 */
export async function exerciseHost(
  host: Host,
  { signal, all }: { readonly signal: AbortSignal; readonly all: boolean },
): Promise<readonly ExerciseResult[]> {
  const results: ExerciseResult[] = [];
  const lost = new Map<string, string>();
  const deadline = AbortSignal.timeout(MAX_MS);
  let room = MAX_CALLS;
  for (const tool of host.tools) {
    await setImmediate(); // Signals and the deadline count between tools that are not called, too.
    const skipped =
      lost.get(tool.server) ??
      (all ? undefined : whyNot(tool)) ??
      (deadline.aborted ? `the exercise stops after ${MAX_MS / 1_000} s` : undefined) ??
      (room === 0 ? `the exercise stops after ${MAX_CALLS} calls` : undefined);
    const result = await exerciseTool(tool, {
      host,
      skipped,
      signal: AbortSignal.any([signal, deadline]),
      maxCalls: Math.min(room, MAX_CALLS_PER_TOOL),
    });
    signal.throwIfAborted();
    results.push(result);
    const { valid, borderline, invalid } = result.exercise;
    room -= valid.calls + borderline.calls + invalid.calls;
    if (result.findings.some(({ rule }) => rule === "connection")) {
      lost.set(tool.server, `its server was lost when ${tool.name} was called`);
    }
  }
  return results;
}

function whyNot({ annotations }: HostTool): string | undefined {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  if (readOnlyHint === true && destructiveHint !== true) return undefined;
  const silent = readOnlyHint === undefined;
  const reason = silent ? "it does not say that it is read-only" : "it may change something";
  return `${reason}; --yes calls it anyway`;
}
