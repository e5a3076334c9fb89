import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, getConfig } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { createOptionCheck, engineOf } from "@toolrail/core/adapter";
import {
  createSingleStep,
  GUARD_OPTIONS,
  guardTurn,
  isMade,
  keepResult,
  outcomeView,
  type SingleStepOptions,
  shutQuery,
} from "@toolrail/core/guard";
import { isJsonObject } from "@toolrail/core/json";
import { type MiddlewareHooks, refuseUncalled } from "../chain/middleware-hooks.ts";
import { readStated } from "../tools/call-config.ts";
import { streamMessage, toToolMessage } from "../tools/messages.ts";
import { limitCalls, outcomeOf, toReplyMessage, withoutReplies } from "./guard-messages.ts";
import {
  createQuerySchema,
  finishCall,
  type GuardState,
  QUERY_KEY,
  readGuardState,
} from "./guarded-query.ts";

/** The middleware of `createAgent` that allows one call per query. */
export interface SingleStepMiddleware extends MiddlewareHooks {
  readonly name: string;
  readonly stateSchema: ReturnType<typeof createQuerySchema>;
  beforeAgent(): Promise<{ [QUERY_KEY]: GuardState }>;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepOptions>(
  "singleStepMiddleware",
  GUARD_OPTIONS,
);

/**
 * Puts `createAgent` under the single-step guard. Each input of the agent may make one call, of a tool on the
 * operator's list, and a `nextTool` in its result is not followed. After the call the model may only answer. If it
 * writes no text, or may not read the result, the user gets the tool's own text. Give the agent the tools of
 * `createTools`: other tools are refused. The order of middleware does not matter. If a list has `"ask"` for a tool,
 * its call waits with an interrupt, as with `humanInTheLoopMiddleware`.
 */
export const singleStepMiddleware = /* @__PURE__ */ refuseUncalled(function singleStepMiddleware(
  host: Host,
  options: SingleStepOptions = {},
): SingleStepMiddleware {
  checkOptions(options);
  const guard = createSingleStep(host, options);
  return {
    name: "ToolrailSingleStep",
    stateSchema: createQuerySchema(),
    beforeAgent: async () => ({ [QUERY_KEY]: { query: await guard.startQuery().toState() } }),
    async wrapModelCall(request, handler) {
      const { messages, state } = request;
      const { query, last } = readGuardState(state) ?? SHUT;
      const { messages: all = messages } = state as { messages?: BaseMessage[] };
      const answered = last && all.find(({ id }) => id === last.messageId);
      const turn = guardTurn(guard.startQuery(query).phase, answered && outcomeOf(answered));
      if (!turn.askModel && turn.reply) {
        const reply = toReplyMessage(turn.reply);
        await streamMessage(reply);
        return reply;
      }
      const offered = new Set(turn.calls > 0 ? guard.tools.map(({ modelName }) => modelName) : []);
      const tools = request.tools.filter((tool) => offered.has(Object(tool).name));
      const choice = tools.length === 0 && { toolChoice: undefined };
      const read = withoutReplies(messages);
      const answer = await handler({ ...request, messages: read, tools, ...choice });
      // A structured response ends the run, even if the model also asked for calls.
      return AIMessage.isInstance(answer) ? limitCalls(answer, turn) : answer;
    },
    async wrapToolCall({ toolCall, state, runtime }) {
      const { id: toolCallId = "", name, args } = toolCall;
      const query = guard.startQuery((readGuardState(state) ?? SHUT).query);
      const tool = host.tools.find(({ modelName }) => modelName === name) ?? name;
      const { signal, context } = runtime ?? {};
      const config = { ...getConfig(), ...(isJsonObject(context) && { context }) };
      const stated = readStated(config);
      const callOptions = { origin: { by: "model", toolCallId }, signal, ...stated } as const;
      const asked = await query.call({ tool, arguments: args }, callOptions);
      const finishing = { host, guard, query, options: callOptions, config };
      const { outcome, query: finished } = await finishCall(asked, finishing);
      const id = `result-${engineOf(host).newId()}`;
      const kept = await keepResult(host, outcome, stated);
      const answered = { id, name, toolCallId, artifact: { outcome: kept } };
      const message = toToolMessage(outcomeView(kept), answered);
      await streamMessage(message);
      const last = { messageId: id, made: isMade(outcome), code: outcome.code };
      const update: GuardState = { query: await finished.toState(), last };
      return new Command({ update: { messages: [message], [QUERY_KEY]: update } });
    },
  };
});

/** A state for a query that the guard did not begin: no tool may be called. */
const SHUT: GuardState = { query: shutQuery() };
