import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { Command } from "@langchain/langgraph";
import {
  type GuardOutcome,
  type Host,
  type ModelViewOptions,
  outcomeText,
  type QueryState,
  type SingleStep,
  type SingleStepOptions,
  toSingleStep,
} from "@toolrail/core";
import { askPerson } from "./approval.ts";
import {
  createQuerySchema,
  type GuardState,
  guardStateOf,
  isMade,
  QUERY_KEY,
} from "./guard-channel.ts";
import { limitCalls, toGuardedMessage, toReplyMessage, withoutReplies } from "./guard-messages.ts";
import type { MiddlewareHooks } from "./middleware-hooks.ts";
import { streamMessage } from "./stream-message.ts";

interface ModelRequestLike {
  readonly messages: BaseMessage[];
  readonly tools: readonly unknown[];
  readonly toolChoice?: unknown;
  readonly state: object;
}

interface ToolRequestLike {
  readonly toolCall: ToolCall;
  readonly state: object;
  readonly runtime?: { readonly signal?: AbortSignal };
}

/** The middleware of `createAgent` that allows one call a query. */
export interface SingleStepMiddleware extends MiddlewareHooks<ModelRequestLike, ToolRequestLike> {
  readonly name: string;
  readonly stateSchema: ReturnType<typeof createQuerySchema>;
  beforeAgent(): { [QUERY_KEY]: GuardState };
}

export interface SingleStepMiddlewareOptions extends SingleStepOptions, ModelViewOptions {}

/**
 * Puts `createAgent` under the single-step guard: each input of the agent may make one call, of a tool on
 * the operator's list, and a `nextTool` in its result is not followed. After the call the model may only
 * answer; where it says nothing, or may not read the result, the user gets the tool's own words. Give the
 * agent the tools of `createTools`; others are refused, and the order of middleware is free. A list that
 * says `"ask"` waits with an interrupt, as `humanInTheLoopMiddleware` does.
 */
export function singleStepMiddleware(
  target: Host | SingleStep,
  options: SingleStepMiddlewareOptions = {},
): SingleStepMiddleware {
  const guard = toSingleStep(target, options);
  return {
    name: "ToolrailSingleStep",
    stateSchema: createQuerySchema(),
    beforeAgent: () => ({ [QUERY_KEY]: { query: guard.startQuery().state } }),
    async wrapModelCall(request, handler) {
      const { query, outcome } = guardStateOf(request.state) ?? { query: SHUT };
      const isOver = query.phase !== "open";
      if (isOver && outcome && outcome.code !== "complete") {
        const reply = toReplyMessage(outcome);
        await streamMessage(reply);
        return reply;
      }
      const offered = new Set(guard.tools.map(({ modelName }) => modelName));
      const tools = isOver ? [] : request.tools.filter((tool) => offered.has(nameOf(tool)));
      const messages = withoutReplies(request.messages);
      const choice = tools.length === 0 && { toolChoice: undefined };
      const answer = await handler({ ...request, messages, tools, ...choice });
      // A structured response ends the run, whatever else the model asked for with it.
      if (!AIMessage.isInstance(answer)) return answer;
      return limitCalls(answer, isOver ? 0 : 1, outcome && outcomeText(outcome));
    },
    async wrapToolCall({ toolCall, state, runtime }) {
      const { id: toolCallId = "", name } = toolCall;
      const current = guardStateOf(state) ?? { query: SHUT };
      const query = guard.startQuery(current.query);
      const tool = guard.host.tools.find(({ modelName }) => modelName === name);
      const callOptions = {
        origin: { by: "model", toolCallId } as const,
        ...(runtime?.signal && { signal: runtime.signal }),
      };
      let outcome: GuardOutcome = await query.call(
        { tool: tool ?? name, arguments: toolCall.args },
        callOptions,
      );
      if (outcome.verdict === "ask") {
        const decision = askPerson(guard.host, outcome.pending) ?? { deny: "nobody can be asked" };
        outcome = await query.resume(decision, callOptions);
      }
      if (outcome.code === "aborted") runtime?.signal?.throwIfAborted();
      const message = toGuardedMessage(outcome, { name, toolCallId }, options);
      await streamMessage(message);
      const last = isMade(current.outcome) ? current.outcome : outcome;
      const update: GuardState = { query: query.state, ...(last && { outcome: last }) };
      return new Command({ update: { messages: [message], [QUERY_KEY]: update } });
    },
  };
}

/** A state without a query is one that the guard did not begin: nothing may be called. */
const SHUT: QueryState = { id: "", phase: "spent", refusals: 0 };

function nameOf(tool: unknown): string {
  return typeof tool === "object" && tool !== null && "name" in tool ? String(tool.name) : "";
}
