import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import {
  describePipeTool,
  type Host,
  offeredTools,
  type PipeLimits,
  type PipeResult,
  runPipe,
  type ToolFilter,
  toPipeReply,
} from "@toolrail/core";
import { type CallConfig, toolCallIdOf } from "./call-config.ts";

export interface PipeToolOptions {
  /** False offers no tool at all. Default true. */
  readonly enabled?: boolean;
  /** Tools that the description tells the model of. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /** About how many tokens the description may cost. Default 1,500. */
  readonly maxDescriptionTokens?: number;
  readonly limits?: Partial<PipeLimits>;
}

/**
 * The tool `mcp_pipe`, to be put beside `createTools`. The model reads a small reply; the artifact of
 * the message is the whole `PipeResult`. A wrong spec is an error message that says what to mend.
 */
export function createPipeTool(host: Host, options: PipeToolOptions = {}): DynamicStructuredTool[] {
  if (options.enabled === false) return [];
  const { maxDescriptionTokens, limits = {} } = options;
  const { name, description, inputSchema } = describePipeTool(
    offeredTools(host, options.tools),
    maxDescriptionTokens === undefined ? {} : { maxDescriptionTokens },
  );
  const fields = {
    name,
    description,
    responseFormat: "content_and_artifact" as const,
    async func(spec: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) {
      const toolCallId = toolCallIdOf(config);
      const { signal } = config;
      const result = await runPipe(spec, host, {
        author: "model",
        signal,
        limits,
        ...(toolCallId !== undefined && { toolCallId }),
      });
      signal?.throwIfAborted();
      return toReturn(result, name, toolCallId);
    },
  };
  const shown = new DynamicStructuredTool({ ...fields, schema: inputSchema });
  // The spec is checked by the parser of pipes, which finds all problems at once: LangChain would
  // refuse it first, with less to say.
  const open = new DynamicStructuredTool({ ...fields, schema: { type: "object" } });
  return [Object.defineProperty(shown, "invoke", { value: open.invoke.bind(open) })];
}

function toReturn(
  result: PipeResult,
  name: string,
  toolCallId: string | undefined,
): [string | ToolMessage, PipeResult] {
  const content = JSON.stringify(toPipeReply(result));
  if (toolCallId === undefined && result.ok) return [content, result];
  const status = result.ok ? "success" : "error";
  const fields = {
    name,
    content,
    status,
    tool_call_id: toolCallId ?? "",
    artifact: result,
  } as const;
  return [new ToolMessage(fields), result];
}
