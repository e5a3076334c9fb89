import type { CallOptions } from "../call/call-request.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import { type JsonObject, weigh } from "../json.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { CompiledToolStep } from "./compiled-pipe.ts";
import { type PipeRun, takeStep } from "./pipe-run.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { resolveValue } from "./resolve-value.ts";
import { textOf } from "./step-result.ts";
import { beginStep, endStep, type StepEnded, type StepWaiting } from "./step-stage.ts";

/** Runs a tool step until it has ended or waits for a person. Never rejects. */
export async function runToolStep(
  run: PipeRun,
  { step, scope }: { readonly step: CompiledToolStep; readonly scope: PipeScope },
): Promise<StepEnded | StepWaiting> {
  const begun = beginStep(run, step);
  if (begun.type === "ended") return begun;
  const { startMs } = begun;
  let args: JsonObject;
  try {
    const maxBytes = run.limits.maxArgumentBytes;
    args = resolveValue(step.args, { scope, maxBytes }) as JsonObject;
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause);
    return endStep(run, { step, startMs, error, hops: [] });
  }
  const request = { tool: step.tool, arguments: args };
  return settle(run, { step, startMs, call: (options) => run.host.run(request, options) });
}

/** Goes on with a step that waited, as a person has decided. No call that was made is made again. */
export async function resumeToolStep(
  run: PipeRun,
  waited: Omit<StepWaiting, "type"> & {
    readonly step: CompiledToolStep;
    readonly decision: ApprovalDecision;
  },
): Promise<StepEnded | StepWaiting> {
  const { step, startMs, chain, decision } = waited;
  const call = (options: CallOptions) => run.host.resume(chain, decision, options);
  return settle(run, { step, startMs, call });
}

interface Calling {
  readonly step: CompiledToolStep;
  readonly startMs: number;
  call(options: CallOptions): Promise<ChainResult>;
}

async function settle(
  run: PipeRun,
  { step, startMs, call }: Calling,
): Promise<StepEnded | StepWaiting> {
  const { signal, pipeId, author, follow, endMs } = run;
  const place = run.place === undefined ? undefined : `${run.place}/${step.path}`;
  const chain = await run.inSlot(() =>
    call({
      signal,
      runId: pipeId,
      origin: { by: "pipe", pipeId, path: step.path, author },
      timeoutMs: endMs - run.now(),
      follow,
      place,
      allowHop: () => takeStep(run),
    }),
  );
  run.onChain?.(chain);
  if (chain.ended === "needs-approval") return { type: "waiting", startMs, chain };
  return endToolStep(run, { step, startMs, chain });
}

/** Ends a step with what its calls came to. A chain that still waits is a failure. */
export function endToolStep(
  run: PipeRun,
  { step, startMs, chain }: Omit<StepWaiting, "type"> & { readonly step: CompiledToolStep },
): StepEnded {
  const { spent, limits } = run;
  const { hops } = chain;
  spent.calls += hops.length;
  const maxBytes = Math.max(limits.maxKeptBytes - spent.bytes, 0);
  const results = hops.map(({ result }) => result);
  const bytes = weigh(results, { maxBytes, maxDepth: 256 });
  if (typeof bytes === "number") {
    spent.bytes += bytes;
    return endStep(run, { step, startMs, error: errorOf(chain), hops });
  }
  const error = `The results of this pipe grew beyond ${limits.maxKeptBytes} bytes (limits.maxKeptBytes); those of this step were dropped.`;
  return endStep(run, { step, startMs, error, hops: [], calls: hops });
}

/** Why the step failed; empty where it did not. */
function errorOf({ ended, hops, error }: ChainResult): string {
  if (ended !== "complete") {
    const why = error?.message ?? `The chain of calls ended early (${ended}).`;
    if (ended !== "needs-approval") return why;
    return `${why} A pipe cannot wait for that here: call the tool by itself, outside of a pipe.`;
  }
  const last = hops.at(-1);
  if (last?.result.isError) {
    return textOf(last.result) || "The tool reported an error without a text for the model.";
  }
  return last?.output.status === "invalid" ? last.output.message : "";
}
