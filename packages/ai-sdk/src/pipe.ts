import {
  definePipeTool,
  type Host,
  type JsonObject,
  type PipeReply,
  type PipeResult,
  type PipeToolSettings,
  runPipe,
  toPipeReply,
} from "@toolrail/core";
import { anyObject } from "./input-schema.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";

export interface PipeToolOptions extends PipeToolSettings {
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
  const definition = definePipeTool(host, options);
  if (!definition) return {};
  const { name, description, inputSchema } = definition;
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
