import type { BaseMessage } from "@langchain/core/messages";
import type { Host, Tool, ToolFilter } from "@toolrail/core";
import {
  type CallListeners,
  createOptionCheck,
  deferredTools,
  engineOf,
  offeredTools,
} from "@toolrail/core/adapter";
import type { Deferral } from "@toolrail/core/internal";
import { streamMessage } from "../langgraph-internals.ts";
import { createHopsSchema, decidedHopsOf, HOPS_KEY } from "../tools/chain-state.ts";
import { createTool } from "../tools/create-tools.ts";
import type { MiddlewareHooks } from "./middleware-hooks.ts";
import { CHAIN_OPTIONS, type ChainOptions, nextTurn } from "./next-turn.ts";

/** The middleware of `createAgent` that makes hops. */
export interface ChainMiddleware extends MiddlewareHooks {
  readonly name: string;
  readonly stateSchema: ReturnType<typeof createHopsSchema>;
  /** Typed as an empty update: the declared `AgentMiddleware` knows no private keys. */
  beforeAgent(): Record<string, never>;
}

/** How `chainMiddleware` makes hops. Its listeners are told of calls of tools that `createTools` has not made. */
export interface ChainMiddlewareOptions extends ChainOptions, CallListeners {
  /** Which of the tools that servers list later a model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /** Which of these are left to the search of the provider, as for `createTools`. */
  readonly defer?: ToolFilter | Deferral;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ChainMiddlewareOptions>("chainMiddleware", {
  ...CHAIN_OPTIONS,
  tools: ["texts", "function"],
  defer: ["texts", "function", "object"],
  onHop: "function",
  onResult: "function",
});

/**
 * Makes each hop a turn of its own in `createAgent`: while tool results ask for a next tool, the model's
 * turn is that call, and no model is asked. Whatever acts on tool calls of the model – approvals, limits,
 * tracing – acts on each hop. Put it before middleware that limits tool calls of the model. The tools
 * are those of `createTools`; hops may also reach tools that only the application sees, and what servers list later
 * is offered from the next turn of the model.
 */
export function chainMiddleware(host: Host, options: ChainMiddlewareOptions = {}): ChainMiddleware {
  checkOptions(options);
  const { settle } = engineOf(host);
  const known = new Set(host.tools.map(({ id }) => id));
  const offered = () => offeredTools(host, options.tools);
  const isLate = ({ id }: Tool) => !known.has(id);
  return {
    name: "ToolrailChain",
    stateSchema: createHopsSchema(),
    // A new input ends what was pending: nothing that a caller sends goes on with it.
    beforeAgent: () => ({ [HOPS_KEY]: null }) as Record<string, unknown> as Record<string, never>,
    async wrapModelCall(request, handler) {
      const { messages: read, state } = request;
      const { messages = read } = state as { messages?: BaseMessage[] };
      const next = nextTurn(host, { ...options, messages, read, decided: decidedHopsOf(state) });
      if ("read" in next) {
        await settle();
        const deferred = deferredTools(host, { offered: offered(), defer: options.defer });
        const late = offered()
          .filter(isLate)
          .map((tool) =>
            createTool(host, { tool, isDeferred: deferred.has(tool.id), listeners: options }),
          );
        return handler({ ...request, messages: next.read, tools: [...request.tools, ...late] });
      }
      await streamMessage(next.turn);
      return next.turn;
    },
    async wrapToolCall(request, handler) {
      const { toolCall, state } = request;
      const isHop = toolCall.id !== undefined && decidedHopsOf(state)?.[toolCall.id] !== undefined;
      // The agent was not built with it: it is for hops alone, or was listed later.
      const others = isHop ? host.tools : offered().filter(isLate);
      const other = others.find(({ modelName }) => modelName === toolCall.name);
      const tool =
        request.tool ?? (other ? createTool(host, { tool: other, listeners: options }) : undefined);
      return handler({ ...request, tool });
    },
  };
}
