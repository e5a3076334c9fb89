import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Host, Tool, ToolFilter } from "@toolrail/core";
import {
  type CallListeners,
  createOptionCheck,
  engineOf,
  invalidOptions,
  offeredTools,
} from "@toolrail/core/adapter";
import { askAboutTurn } from "../tools/ask-person.ts";
import { ANSWERS_KEY, createHopsSchema, HOPS_KEY, readDecidedHops } from "../tools/chain-state.ts";
import { createTool, hostOf } from "../tools/create-tools.ts";
import { streamMessage } from "../tools/messages.ts";
import { CHAIN_OPTIONS, type ChainOptions, nextTurn } from "./hop-messages.ts";
import { type MiddlewareHooks, refuseUncalled } from "./middleware-hooks.ts";

/** The middleware of `createAgent` that makes hops. */
export interface ChainMiddleware extends MiddlewareHooks {
  readonly name: string;
  readonly stateSchema: ReturnType<typeof createHopsSchema>;
  /** The type is an empty update, since the declared `AgentMiddleware` does not know private keys. */
  beforeAgent(): Record<string, never>;
  afterModel(state: object): Promise<Record<string, never>>;
}

/** The declared `AgentMiddleware` does not know private keys. */
function toUpdate(update: Record<string, unknown>): Record<string, never> {
  return update as Record<string, never>;
}

/** The options of `chainMiddleware`. Its listeners receive calls of tools that `createTools` did not make. */
export interface ChainMiddlewareOptions extends ChainOptions, CallListeners {
  /** Selects which tools that servers list later are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ChainMiddlewareOptions>("chainMiddleware", {
  ...CHAIN_OPTIONS,
  tools: ["texts", "function"],
  onHop: "function",
  onResult: "function",
});

/**
 * Makes each hop a separate turn in `createAgent`. While tool results ask for a next tool, the turn is that call, and
 * no model is asked. So approvals, limits and tracing for the model's tool calls apply to each hop. Put it before
 * middleware that limits tool calls of the model. Use it with the tools of `createTools`. Hops may also reach tools
 * that only the application sees. Tools that servers list later are offered from the model's next turn.
 */
export const chainMiddleware = /* @__PURE__ */ refuseUncalled(function chainMiddleware(
  host: Host,
  options: ChainMiddlewareOptions = {},
): ChainMiddleware {
  checkOptions(options);
  const engine = engineOf(host);
  const known = new Set(host.tools.map(({ id }) => id));
  const offered = () => offeredTools(host, options.tools);
  // A server may list these later, so that a name which matches none is only a problem of the host.
  if (Array.isArray(options.tools)) engine.watchNames("tools", options.tools);
  const isLate = ({ id }: Tool) => !known.has(id);
  let isWarned = false;
  /** Warns once if the model is asked and has none of the tools that the host began with, or has those of another host. */
  const checkTools = (tools: readonly unknown[], messages: readonly BaseMessage[]) => {
    // After a call, other middleware may have taken the tools away.
    if (isWarned || ToolMessage.isInstance(messages.at(-1))) return;
    const own = offered().filter((tool) => !isLate(tool));
    const isOwn = (tool: object) =>
      (hostOf.get(tool) ?? host) === host && own.some(({ id }) => idOf(tool) === id);
    isWarned = own.length > 0 && !tools.some((tool) => isOwn(Object(tool)));
    if (isWarned) engine.warn("no-host-tools");
  };
  return {
    name: "ToolrailChain",
    stateSchema: createHopsSchema(),
    // A new input drops all pending hops, so that a caller cannot send one.
    beforeAgent: () => toUpdate({ [HOPS_KEY]: null, [ANSWERS_KEY]: null }),
    afterModel: async (state) => toUpdate({ [ANSWERS_KEY]: await askAboutTurn(host, state) }),
    async wrapModelCall(request, handler) {
      const { messages: read, state } = request;
      const { messages = read } = state as { messages?: BaseMessage[] };
      const next = nextTurn(host, { ...options, messages, read, decided: readDecidedHops(state) });
      if ("read" in next) {
        refuseTwins(request.tools);
        checkTools(request.tools, messages);
        await engine.settle();
        const names = new Set(request.tools.map((tool) => Object(tool).name as unknown));
        const late = offered()
          .filter((tool) => isLate(tool) && !names.has(tool.modelName))
          .map((tool) => createTool(host, { tool, listeners: options }));
        return handler({ ...request, messages: next.read, tools: [...request.tools, ...late] });
      }
      await streamMessage(next.turn);
      return next.turn;
    },
    async wrapToolCall(request, handler) {
      const { toolCall, state } = request;
      const isHop =
        toolCall.id !== undefined && readDecidedHops(state)?.[toolCall.id] !== undefined;
      // The agent may have no such tool: it is only for hops, or was listed later.
      const others = isHop ? host.tools : offered().filter(isLate);
      const other = others.find(({ modelName }) => modelName === toolCall.name);
      // A hop never calls a tool of the agent itself that has the name of the host's.
      const isForeign = isHop && other !== undefined && idOf(request.tool) !== other.id;
      const given = isForeign ? undefined : request.tool;
      const tool =
        given ?? (other ? createTool(host, { tool: other, listeners: options }) : undefined);
      return handler({ ...request, tool });
    },
  };
});

/** Reads the id of the host's tool that `createTools` made a tool of. */
function idOf(tool: unknown): unknown {
  return Object(Object(tool).metadata).toolrail;
}

/** Throws if an agent has a tool of its own with the name of one of the host's: a model's call would reach either. */
function refuseTwins(tools: readonly unknown[]): void {
  for (const tool of tools) {
    const { name } = Object(tool);
    const isTwin = (other: unknown) => other !== tool && Object(other).name === name;
    if (idOf(tool) === undefined || !tools.some(isTwin)) continue;
    throw invalidOptions(
      `The agent has two tools named "${name}", one of them ${idOf(tool)}: rename yours, or give the server \`prefix: true\`.`,
    );
  }
}
