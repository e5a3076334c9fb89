import {
  type GuardOutcome,
  type HostTool,
  type JsonObject,
  type ModelViewOptions,
  outcomeView,
  type SingleStep,
} from "@toolrail/core";
import { isApproved } from "./approval.ts";
import { type GuardRun, readHistory } from "./guard-run.ts";
import { anyObject } from "./input-schema.ts";
import { toModelOutput } from "./model-output.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";
import { notify, toToolBase } from "./tool-base.ts";
import { type ToolOutput, toHopProgress } from "./tool-output.ts";

export interface GuardedToolOptions extends ModelViewOptions {
  /** Told of the call and of each refusal, before anybody sees its output. What it throws is ignored. */
  readonly onOutcome?: (outcome: GuardOutcome) => void | PromiseLike<void>;
}

/** The tools that a planner may choose from, each of which is held to the run's one call. */
export function createGuardedTools(
  guard: SingleStep,
  run: GuardRun,
  options: GuardedToolOptions,
): Record<string, SdkTool<ToolOutput>> {
  return Object.fromEntries(
    guard.tools.map((tool) => [tool.modelName, createGuardedTool({ guard, run, options, tool })]),
  );
}

interface ToolParts {
  readonly guard: SingleStep;
  readonly run: GuardRun;
  readonly options: GuardedToolOptions;
  readonly tool: HostTool;
}

function createGuardedTool(parts: ToolParts): SdkTool<ToolOutput> {
  const { guard, run, tool } = parts;
  return {
    ...toToolBase(guard.host, tool),
    // The gate itself says what is wrong with an input: the model is told, and the refusal counted.
    inputSchema: anyObject(tool.inputSchema),
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
  { guard, run, options, tool }: ToolParts,
  input: unknown,
  callOptions: ToolCallOptions,
): Promise<ToolOutput> {
  const { toolCallId, abortSignal: signal, messages } = callOptions;
  if ("context" in callOptions) run.files = "tagged";
  const approved = isApproved(messages, { toolCallId, toolName: tool.modelName, input });
  const origin = { by: "model", toolCallId } as const;
  readHistory(guard, run, messages, toolCallId);
  const request = { tool, arguments: input as JsonObject };
  const outcome = await run.query.call(request, { origin, signal, approved });
  if (outcome.code !== "step-used" || run.outcome === undefined) run.outcome = outcome;
  run.isOver = run.query.state.phase !== "open";
  await notify(options.onOutcome, outcome);
  if (outcome.code === "aborted" && signal?.aborted) throw signal.reason;
  const { content, isError } = outcomeView(outcome, options);
  const hops = "hop" in outcome ? [toHopProgress(outcome.hop)] : [];
  return { content, isError, hops, ended: outcome.code === "complete" ? "complete" : "denied" };
}
