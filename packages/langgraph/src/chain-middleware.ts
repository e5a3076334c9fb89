import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host, ModelViewOptions } from "@toolrail/core";
import { type ChainOptions, nextTurn } from "./chain-turn.ts";
import { foldHops } from "./fold-hops.ts";
import { createHopsSchema, decidedHopsOf, HOPS_KEY } from "./hop-channel.ts";
import type { MiddlewareHooks } from "./middleware-hooks.ts";
import { streamMessage } from "./stream-message.ts";
import { createTool } from "./tools.ts";

interface ModelRequestLike {
  readonly messages: BaseMessage[];
  readonly state: object;
}

interface ToolRequestLike {
  readonly toolCall: ToolCall;
  readonly tool: unknown;
  readonly state: object;
}

/** The middleware of `createAgent` that makes hops. */
export interface ChainMiddleware extends MiddlewareHooks<ModelRequestLike, ToolRequestLike> {
  readonly name: string;
  readonly stateSchema: ReturnType<typeof createHopsSchema>;
  /** Typed as an empty update: the declared `AgentMiddleware` knows no private keys. */
  beforeAgent(): Record<string, never>;
}

/**
 * Makes each hop a turn of its own in `createAgent`: while tool results ask for a next tool, the model's
 * turn is that call, and no model is asked. Whatever acts on tool calls of the model – approvals, limits,
 * tracing – acts on each hop. Put it before middleware that limits tool calls of the model. The tools
 * are those of `createTools`; hops may also reach tools that only the application sees.
 */
export function chainMiddleware(
  host: Host,
  options: ChainOptions & ModelViewOptions = {},
): ChainMiddleware {
  return {
    name: "ToolrailChain",
    stateSchema: createHopsSchema(),
    // A new input ends what was pending: nothing that a caller sends goes on with it.
    beforeAgent: () => ({ [HOPS_KEY]: null }) as Record<string, unknown> as Record<string, never>,
    async wrapModelCall(request, handler) {
      const { messages } = request.state as { messages?: BaseMessage[] };
      const decided = decidedHopsOf(request.state);
      const turn = nextTurn(host, messages ?? request.messages, decided, options);
      if (turn) {
        await streamMessage(turn);
        return turn;
      }
      const folded = options.fold === false ? request.messages : foldHops(request.messages);
      return handler({ ...request, messages: folded });
    },
    async wrapToolCall(request, handler) {
      const tool = request.tool ?? hiddenTool(host, request, options);
      return handler({ ...request, tool });
    },
  };
}

/** The tool of a decided hop that the model is not offered, and the agent therefore does not have. */
function hiddenTool(
  host: Host,
  { toolCall, state }: ToolRequestLike,
  options: ModelViewOptions,
): DynamicStructuredTool | undefined {
  const hop = toolCall.id === undefined ? undefined : decidedHopsOf(state)?.[toolCall.id];
  const tool = hop && host.tools.find(({ modelName }) => modelName === toolCall.name);
  return tool && createTool(host, tool, options);
}
