import {
  describePipeTool,
  type Host,
  type JsonObject,
  offeredTools,
  type PipeLimits,
  type PipeReply,
  type PipeResult,
  runPipe,
  type ToolFilter,
  toPipeReply,
} from "@toolrail/core";
import { anyObject } from "./input-schema.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";

export interface PipeToolOptions {
  /** False offers no tool at all. Default true. */
  readonly enabled?: boolean;
  /** Tools that the description tells the model of. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /** About how many tokens the description may cost. Default 1,500. */
  readonly maxDescriptionTokens?: number;
  readonly limits?: Partial<PipeLimits>;
  /**
   * Told of each run when it has ended, with every step: the model reads little of it. What it throws
   * is ignored, since the calls were made.
   */
  readonly onResult?: (run: PipeToolCall) => void | PromiseLike<void>;
}

/** A pipe that a model called for, and all that came of it. */
export interface PipeToolCall {
  readonly toolCallId: string;
  /** As the model wrote it. */
  readonly spec: unknown;
  readonly result: PipeResult;
}

/**
 * The tool `mcp_pipe`, to be spread beside `createTools`. What the model reads, and the output that
 * reaches a browser, is the small reply; a wrong spec comes back as an error that says what to mend.
 */
export function createPipeTool(
  host: Host,
  options: PipeToolOptions = {},
): Record<string, SdkTool<PipeReply>> {
  if (options.enabled === false) return {};
  const { maxDescriptionTokens } = options;
  const { name, description, inputSchema } = describePipeTool(offeredTools(host, options.tools), {
    maxDescriptionTokens,
  });
  const tool: SdkTool<PipeReply> = {
    type: "dynamic",
    description,
    inputSchema: anyObject(inputSchema),
    needsApproval: async () => false,
    execute: (input, callOptions) => runTool(host, options, input, callOptions),
    toModelOutput: ({ output }) => ({
      type: output.ok ? "text" : "error-text",
      value: JSON.stringify(output),
    }),
  };
  return { [name]: tool };
}

async function* runTool(
  host: Host,
  { limits = {}, onResult }: PipeToolOptions,
  spec: unknown,
  { toolCallId, abortSignal: signal }: ToolCallOptions,
): AsyncGenerator<PipeReply, void, undefined> {
  const result = await runPipe(spec as JsonObject, host, {
    author: "model",
    toolCallId,
    signal,
    limits,
  });
  try {
    await onResult?.({ toolCallId, spec, result });
  } catch {
    // A listener that fails must not make a run look as if it had failed: a model would repeat it.
  }
  signal?.throwIfAborted();
  yield toPipeReply(result);
}
