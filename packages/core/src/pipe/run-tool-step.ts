import type { ChainResult } from "../chain/chain-result.ts";
import { ToolrailError } from "../errors.ts";
import { type JsonObject, measure, weigh } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import { isForModel } from "../result/model-view.ts";
import type { ToolPlan } from "./pipe-plan.ts";
import type { ToolStepResult } from "./pipe-result.ts";
import { beginStep, endStep, type PipeRun, refuseStep, takeStep } from "./pipe-run.ts";
import { resolveTemplate, type Scope } from "./resolve-template.ts";

/** Runs a tool step. Rejects only where the host's `run` does, to pause the whole run. */
export async function runToolStep(
  run: PipeRun,
  step: ToolPlan,
  scope: Scope,
): Promise<ToolStepResult> {
  const { host, slots, limits, signal, author, pipeId } = run;
  const startMs = beginStep(run, step);
  const refusal = refuseStep(run);
  if (refusal) return failTool(run, step, startMs, refusal);
  let args: unknown;
  try {
    args = resolveTemplate(step.args, scope, limits.maxArgumentBytes);
    const size = measure(args, { maxBytes: limits.maxArgumentBytes, maxDepth: 256 });
    if (size) throw new ToolrailError("pipe-limit", `The arguments were not sent: ${size}.`);
  } catch (cause) {
    return failTool(run, step, startMs, cause);
  }
  if (!slots.tryEnter()) await slots.enter();
  let chain: ChainResult;
  try {
    chain = await host.run(
      { tool: step.tool, arguments: args as JsonObject },
      {
        signal,
        runId: pipeId,
        origin: { by: "pipe", pipeId, path: step.path, author },
        timeoutMs: run.endMs - host.now(),
        allowHop: () => takeStep(run),
      },
    );
  } finally {
    slots.leave();
  }
  return toToolResult(run, step, startMs, chain);
}

function toToolResult(
  run: PipeRun,
  step: ToolPlan,
  startMs: number,
  chain: ChainResult,
): ToolStepResult {
  const { hops } = chain;
  const last = hops.at(-1);
  const text = last ? textOf(last.result) : "";
  run.spent.calls += hops.length;
  const bytes = keptBytes(run, chain);
  if (bytes === undefined) {
    const message = `The results of this pipe grew beyond ${run.limits.maxKeptBytes} bytes (limits.maxKeptBytes); those of this step were dropped.`;
    return failTool(run, step, startMs, new ToolrailError("pipe-limit", message), hops);
  }
  run.spent.bytes += bytes;
  const error = errorOf(chain, text);
  const { structuredContent: structured = null } = last?.result ?? {};
  return endStep(run, step, startMs, { kind: "tool", error, structured, text, hops });
}

const NO_WAITING = "A pipe cannot wait for that here: call the tool by itself, outside of a pipe.";

/** Why the step failed; empty where it did not. */
function errorOf({ ended, hops, error }: ChainResult, text: string): string {
  if (ended !== "complete") {
    const why = error?.message ?? `The chain of calls ended early (${ended}).`;
    return ended === "needs-approval" ? `${why} ${NO_WAITING}` : why;
  }
  const last = hops.at(-1);
  if (last?.result.isError)
    return text || "The tool reported an error without a text for the model.";
  return last?.output.status === "invalid" ? last.output.message : "";
}

function keptBytes({ limits, spent }: PipeRun, { hops }: ChainResult): number | undefined {
  let bytes = 0;
  for (const { result } of hops) {
    const room = limits.maxKeptBytes - spent.bytes - bytes;
    const weight = weigh(result, { maxBytes: Math.max(room, 0), maxDepth: 256 });
    if (typeof weight === "string") return undefined;
    bytes += weight;
  }
  return bytes;
}

/** All text blocks but those for the user alone, since a model may read what a pipe returns. */
function textOf({ content }: CallToolResult): string {
  let text: string | undefined;
  for (const block of content) {
    if (block.type !== "text" || block.text === undefined || !isForModel(block)) continue;
    text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  return text ?? "";
}

function failTool(
  run: PipeRun,
  step: ToolPlan,
  startMs: number,
  cause: unknown,
  dropped: readonly Hop[] = [],
): ToolStepResult {
  const error = cause instanceof Error ? cause.message : String(cause);
  const ending = { kind: "tool", error, structured: null, text: "", hops: [] } as const;
  return endStep<ToolStepResult>(run, step, startMs, ending, dropped);
}
