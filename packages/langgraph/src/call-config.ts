import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CallOptions, Hop, HostTool, Progress } from "@toolrail/core";

/** What a tool is told of its call: the runnable config, and what `ToolNode` and `createAgent` add. */
export type CallConfig = LangGraphRunnableConfig & {
  readonly toolCall?: ToolCall;
  readonly toolCallId?: string;
  /** The state of the graph as its tools node sees it. */
  readonly state?: unknown;
};

/** What a tool call writes to `config.writer`: read it with `streamMode: "custom"`. */
export type ToolEvent =
  /** A progress notification of the server. */
  | ({
      readonly type: "toolrail-progress";
      readonly toolCallId: string | undefined;
      readonly tool: string;
    } & Progress)
  /** A hop that has its result. */
  | {
      readonly type: "toolrail-hop";
      readonly toolCallId: string | undefined;
      readonly tool: string;
      readonly callId: string;
      readonly isError: boolean;
      readonly durationMs: number;
    };

export function toolCallIdOf({ toolCall, toolCallId }: CallConfig): string | undefined {
  return toolCall?.id ?? toolCallId;
}

/** The options of a call that a model asked for. */
export function toCallOptions(config: CallConfig, tool: HostTool): CallOptions {
  const toolCallId = toolCallIdOf(config);
  return {
    origin: { by: "model", ...(toolCallId !== undefined && { toolCallId }) },
    signal: config.signal,
    // Servers are asked for progress only where somebody may read it.
    ...(config.writer && {
      onProgress: (progress) =>
        write(config, { type: "toolrail-progress", toolCallId, tool: tool.id, ...progress }),
    }),
  };
}

export function writeHop(config: CallConfig, { server, tool, callId, result, durationMs }: Hop) {
  const isError = result.isError === true;
  const toolCallId = toolCallIdOf(config);
  const id = `${server}.${tool}`;
  write(config, { type: "toolrail-hop", toolCallId, tool: id, callId, isError, durationMs });
}

function write(config: CallConfig, event: ToolEvent): void {
  config.writer?.(event);
}
