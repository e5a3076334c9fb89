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
  const either = AbortSignal.any([signal, deadline]);
  let room = MAX_CALLS;
  const whyNot = (tool: HostTool) => {
    const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
    if (!all && (readOnlyHint !== true || destructiveHint === true)) return NOT_READ_ONLY;
    if (deadline.aborted) return `the exercise stops after ${MAX_MS / 1_000} s`;
    if (room === 0) return `the exercise stops after ${MAX_CALLS} calls`;
    return lost.get(tool.server);
  };
  for (const tool of host.tools) {
    await setImmediate(); // Signals and the deadline count between tools that are not called, too.
    const maxCalls = Math.min(room, MAX_CALLS_PER_TOOL);
    const own = { host, signal: either, maxCalls, whyNot: whyNot(tool) };
    const result = await exerciseTool(tool, own);
    signal.throwIfAborted();
    results.push(result);
    const { valid, borderline, invalid } = result.exercise;
    room -= valid + borderline + invalid;
    if (result.findings.some(({ rule }) => rule === "connection")) {
      lost.set(tool.server, `its server was lost when ${tool.name} was called`);
    }
  }
  return results;
}

const NOT_READ_ONLY =
  "it does not say that it is read-only and may change something; --yes calls it anyway";
