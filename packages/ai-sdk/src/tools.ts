import {
  type CallRequest,
  type ChainResult,
  type Hop,
  type Host,
  type HostTool,
  type JsonObject,
  type ModelViewOptions,
  offeredTools,
  type ToolFilter,
} from "@toolrail/core";
import { isApproved } from "./approval.ts";
import { type FileForm, toModelOutput } from "./model-output.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";
import { notify, toToolBase } from "./tool-base.ts";
import { type ToolOutput, toOutput, toProgress } from "./tool-output.ts";

/** A tool call of the model and everything that came of it. */
export interface ToolCallResult {
  readonly toolCallId: string;
  readonly tool: HostTool;
  /** Every hop with its raw result: for `userView`, and for `host.resume` where a hop needs approval. */
  readonly chain: ChainResult;
}

export interface ToolsOptions extends ModelViewOptions {
  /** Which of the host's tools the model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * Told of each call when it has ended, before the model or a browser sees its output: the place
   * to show the user what is for the user. What it throws is ignored, since the call was made.
   */
  readonly onResult?: (result: ToolCallResult) => void | PromiseLike<void>;
}

/**
 * The host's tools for `generateText`, `streamText` and `ToolLoopAgent`, by the names that models see.
 * A call runs its whole chain: each hop is a preliminary output, the last output is the result.
 * The tools are those that the host has now; make them again when its list changes.
 */
export function createTools(
  host: Host,
  options: ToolsOptions = {},
): Record<string, SdkTool<ToolOutput>> {
  const parts: Parts = { host, options, files: "by-kind" };
  return Object.fromEntries(
    offeredTools(host, options.tools).map((tool) => [tool.modelName, createTool(parts, tool)]),
  );
}

interface Parts {
  readonly host: Host;
  readonly options: ToolsOptions;
  /** Learned from the first call, by the names that each major gives its options. */
  files: FileForm;
}

function createTool(parts: Parts, tool: HostTool): SdkTool<ToolOutput> {
  const { host } = parts;
  return {
    ...toToolBase(host, tool),
    async needsApproval(input, { toolCallId }) {
      const origin = { by: "model", toolCallId } as const;
      return (await host.check(toRequest(tool, input), { origin })).type === "ask";
    },
    execute: (input, callOptions) => runTool(parts, tool, input, callOptions),
    toModelOutput: ({ output }) => toModelOutput(output, parts.files),
  };
}

async function* runTool(
  parts: Parts,
  tool: HostTool,
  input: unknown,
  callOptions: ToolCallOptions,
): AsyncGenerator<ToolOutput, void, undefined> {
  const { host, options } = parts;
  const { toolCallId, abortSignal: signal, messages } = callOptions;
  if ("context" in callOptions) parts.files = "tagged";
  const approved = isApproved(messages, { toolCallId, toolName: tool.modelName, input });
  const origin = { by: "model", toolCallId } as const;
  const calls = host.stream(toRequest(tool, input), { origin, signal, approved });
  const hops: Hop[] = [];
  let step = await calls.next();
  for (; !step.done; step = await calls.next()) {
    hops.push(step.value);
    yield toProgress(hops);
  }
  const chain = step.value;
  await notify(options.onResult, { toolCallId, tool, chain });
  if (chain.ended === "aborted" && signal?.aborted) throw signal.reason;
  yield toOutput(chain, options);
}

function toRequest(tool: HostTool, input: unknown): CallRequest {
  return { tool, arguments: input as JsonObject };
}
