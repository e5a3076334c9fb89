import {
  type GuardedQuery,
  type GuardOutcome,
  type HostTool,
  isNotCalledText,
  type JsonObject,
  type ModelViewOptions,
  outcomeText,
  outcomeView,
  type SingleStep,
} from "@toolrail/core";
import { isApproved } from "./approval.ts";
import { partsOf, resultsOf } from "./messages.ts";
import { type FileForm, toModelOutput } from "./model-output.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";
import { notify, toToolBase } from "./tool-base.ts";
import { type ToolOutput, toHopProgress } from "./tool-output.ts";

export interface GuardRunOptions extends ModelViewOptions {
  /** Told of the call and of each refusal, before anybody sees its output. What it throws is ignored. */
  readonly onOutcome?: (outcome: GuardOutcome) => void | PromiseLike<void>;
}

/** One run of the SDK under guard: the query, and what has become of it. */
export interface GuardRun {
  readonly query: GuardedQuery;
  /** The outcome of the call, or of the last refusal while there is none. */
  outcome: GuardOutcome | undefined;
  /** True where the model may only answer from here on. */
  isOver: boolean;
  files: FileForm;
}

/** The tools that a planner may choose from, each of which is held to the run's one call. */
export function createGuardedTools(
  guard: SingleStep,
  run: GuardRun,
  options: GuardRunOptions,
): Record<string, SdkTool<ToolOutput>> {
  return Object.fromEntries(
    guard.tools.map((tool) => [tool.modelName, createGuardedTool({ guard, run, options, tool })]),
  );
}

interface ToolParts {
  readonly guard: SingleStep;
  readonly run: GuardRun;
  readonly options: GuardRunOptions;
  readonly tool: HostTool;
}

function createGuardedTool(parts: ToolParts): SdkTool<ToolOutput> {
  const { guard, run, tool } = parts;
  return {
    ...toToolBase(guard.host, tool),
    async needsApproval(input, { toolCallId }) {
      if (run.isOver) return false; // It is going to be refused: nobody need be asked.
      const origin = { by: "model", toolCallId } as const;
      return (
        (await guard.admit({ tool, arguments: input as JsonObject }, { origin })).type === "ask"
      );
    },
    async *execute(input, callOptions) {
      yield await callOnce(parts, input, callOptions);
    },
    toModelOutput: ({ output }) => toModelOutput(output, run.files),
  };
}

async function callOnce(
  { run, options, tool }: ToolParts,
  input: unknown,
  callOptions: ToolCallOptions,
): Promise<ToolOutput> {
  const { toolCallId, abortSignal: signal, messages } = callOptions;
  if ("context" in callOptions) run.files = "tagged";
  const approved = isApproved(messages, { toolCallId, toolName: tool.modelName, input });
  const origin = { by: "model", toolCallId } as const;
  const isFirst = !hasCalled(messages, toolCallId);
  const outcome = isFirst
    ? await run.query.call({ tool, arguments: input as JsonObject }, { origin, signal, approved })
    : stepUsed();
  if (outcome.code !== "step-used" || run.outcome === undefined) run.outcome = outcome;
  run.isOver = !isFirst || run.query.state.phase !== "open";
  await notify(options.onOutcome, outcome);
  if (outcome.code === "aborted" && signal?.aborted) throw signal.reason;
  const { content, isError } = outcomeView(outcome, options);
  const hops = "hop" in outcome ? [toHopProgress(outcome.hop)] : [];
  return { content, isError, hops, ended: outcome.code === "complete" ? "complete" : "denied" };
}

/** What the user is told where no model has the word, and what models read of it later. */
export function replyOf({ outcome }: GuardRun): { text: string; note: string } {
  const known = outcome ?? stepUsed();
  const text = outcomeText(known);
  return { text, note: known.code === "complete" ? text : `(${known.code})` };
}

/**
 * True where the messages since the user spoke hold the result of another call that was made: a run
 * that goes on after an approval begins with an open gate, and its history closes it.
 */
export function hasCalled(messages: readonly unknown[], toolCallId?: string): boolean {
  const last = messages.findLastIndex((message) => (message as { role?: unknown }).role === "user");
  const results = messages.slice(last + 1).flatMap(resultsOf);
  const asked = messages.flatMap((message) => partsOf(message, "assistant"));
  return results.some((result) => {
    if (result.toolCallId === toolCallId) return false;
    const call = asked.findLast((part) => part.toolCallId === result.toolCallId);
    const { type, value } = (result.output ?? {}) as { type?: unknown; value?: unknown };
    if (type === "execution-denied") return false;
    return call !== undefined && !(typeof value === "string" && isNotCalledText(value));
  });
}

function stepUsed(): GuardOutcome {
  const message = "This query has had its one call.";
  return { verdict: "block", code: "step-used", message, called: false };
}
