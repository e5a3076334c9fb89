import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  Command,
  getConfig,
  type LangGraphRunnableConfig,
  ReducedValue,
  StateSchema,
} from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { createOptionCheck, engineOf, isHop, throwAborted } from "@toolrail/core/adapter";
import {
  createSingleStep,
  GUARD_OPTIONS,
  type GuardedCallOptions,
  type GuardedQuery,
  type GuardOutcome,
  type GuardTurn,
  guardTurn,
  isMade,
  keepResult,
  outcomeView,
  type QueryPhase,
  type QueryState,
  type SingleStep,
  type SingleStepOptions,
  shutQuery,
} from "@toolrail/core/guard";
import { isJsonObject } from "@toolrail/core/json";
import { z } from "zod";
import { type MiddlewareHooks, refuseUncalled } from "../chain/middleware-hooks.ts";
import { decidePending } from "../tools/ask-person.ts";
import { readStated } from "../tools/call-config.ts";
import { streamMessage, toToolMessage } from "../tools/messages.ts";

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
      if (offered.size > 0 && tools.length === 0) engineOf(host).warn("no-host-tools");
      const choice = tools.length === 0 && { toolChoice: undefined };
      const read = withoutReplies(messages);
      const answer = await handler({ ...request, messages: read, tools, ...choice });
      // A structured response ends the run, even if the model also asked for calls.
      return AIMessage.isInstance(answer) ? limitCalls(answer, turn) : answer;
    },
    async wrapToolCall({ toolCall, state, runtime }) {
      const { id: toolCallId = "", name, args } = toolCall;
      const { query: begun } = readGuardState(state) ?? SHUT;
      const { messages = [] } = state as { messages?: BaseMessage[] };
      const first: unknown = messages.findLast(AIMessage.isInstance)?.response_metadata?.[FIRST];
      // The further calls of a turn are answered, so that the model knows that they were not made, and change nothing.
      const isFurther = first !== undefined && first !== toolCallId;
      const query = guard.startQuery(isFurther ? shutQuery(begun.id) : begun);
      const tool = host.tools.find(({ modelName }) => modelName === name) ?? name;
      const { signal, context } = runtime ?? {};
      const config = { ...getConfig(), ...(isJsonObject(context) && { context }) };
      const stated = readStated(config);
      const callOptions = { origin: { by: "model", toolCallId }, signal, ...stated } as const;
      const asked = await query.call({ tool, arguments: args }, callOptions);
      const end = await finishCall(asked, { guard, query, options: callOptions, config });
      const { outcome } = end;
      const id = `result-${engineOf(host).newId()}`;
      const kept = await keepResult(host, outcome, stated);
      const answered = { id, name, toolCallId, artifact: { outcome: kept } };
      const message = toToolMessage(outcomeView(kept), answered);
      await streamMessage(message);
      const last = { messageId: id, made: isMade(outcome), code: outcome.code };
      const update: GuardState = { query: await end.query.toState(), last };
      const made = !isFurther && { [QUERY_KEY]: update };
      return new Command({ update: { messages: [message], ...made } });
    },
  };
});

/** A state for a query that the guard did not begin: no tool may be called. */
const SHUT: GuardState = { query: shutQuery() };

/** The key in `response_metadata` of a reply that no model wrote. Its value is the text that models read instead. */
const NOTE = "toolrailNote";

/** The key in `response_metadata` of a turn with several calls: the id of the one to make. Other middleware may change their order. */
const FIRST = "toolrailCall";

/** Returns the outcome of a guarded tool call from its message, or `undefined` for any other message. */
export function outcomeOf(message: BaseMessage): GuardOutcome | undefined {
  const artifact: unknown = ToolMessage.isInstance(message) ? message.artifact : undefined;
  const { outcome } = isJsonObject(artifact) ? artifact : {};
  if (!isJsonObject(outcome) || typeof outcome.code !== "string") return undefined;
  return "hop" in outcome && !isHop(outcome.hop) ? undefined : (outcome as GuardOutcome);
}

/** Drops the tool calls of an answer if the turn allows none, and calls that repeat an id. If nothing is left, it becomes the reply of the turn. */
function limitCalls(message: AIMessage, { calls: most, reply }: GuardTurn): AIMessage {
  const asked = message.tool_calls ?? [];
  const ids = asked.map(({ id }) => id);
  const calls = asked.filter(({ id }, at) => most > 0 && ids.indexOf(id) === at);
  const [first, ...further] = calls;
  const isWhole = calls.length === asked.length && further.length === 0;
  if (isWhole && (first || message.text)) return message;
  const kept = new Set(calls.map(({ id }) => id));
  const { id, usage_metadata, response_metadata } = message;
  const { tool_calls: _, ...kwargs } = message.additional_kwargs;
  const isEmpty = calls.length === 0 && message.text.trim() === "";
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    content: isEmpty && reply ? reply.text : withoutCalls(message.content, kept),
    tool_calls: calls,
    additional_kwargs: kwargs,
    response_metadata: { ...response_metadata, ...(further.length > 0 && { [FIRST]: first?.id }) },
  });
}

/** Some providers repeat tool calls as blocks of the content. */
function withoutCalls(content: AIMessage["content"], kept: ReadonlySet<string | undefined>) {
  if (typeof content === "string") return content;
  return content.filter((block) => {
    const { type = "", id } = block as { type?: string; id?: string };
    return !CALLS.has(type) || kept.has(id);
  });
}

const CALLS: ReadonlySet<string> = new Set(["tool_use", "tool_call", "functionCall"]);

function toReplyMessage({ text, note }: NonNullable<GuardTurn["reply"]>): AIMessage {
  return new AIMessage({ content: text, response_metadata: { [NOTE]: note } });
}

/** Replaces each reply that no model wrote by its note, so that no model reads a text meant for the user. */
function withoutReplies(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const note: unknown = message.response_metadata?.[NOTE];
    return AIMessage.isInstance(message) && typeof note === "string"
      ? new AIMessage(note)
      : message;
  });
}

export interface GuardState {
  readonly query: QueryState;
  readonly last?: {
    /** The id of the answer's message. Ids of tool calls are not unique, since models repeat them. */
    readonly messageId: string;
    /** True if the call was made, or may have been made. */
    readonly made: boolean;
    /** The code of the outcome. The whole outcome is in the artifact of the message. */
    readonly code: string;
  };
}

/** The private key of this state. No input of a graph has it. */
const QUERY_KEY = "_toolrailQuery";

const PHASES = { open: 0, pending: 1, spent: 2 };

/** Prefers, of two tasks in one step, the one that made the call. A new query replaces the old one. */
function mergeStates(current: GuardState | null, update: GuardState | null): GuardState | null {
  if (!current || !update || current.query.id !== update.query.id) return update;
  const phase = laterPhase(current.query.phase, update.query.phase);
  const { last: before, query } = current;
  const isKept = before && (before.made || update.last?.code === "step-used");
  const last = isKept ? before : (update.last ?? before);
  return { query: { ...query, phase }, ...(last && { last }) };
}

function laterPhase(a: QueryPhase, b: QueryPhase): QueryPhase {
  if (PHASES[a.type] !== PHASES[b.type]) return PHASES[a.type] > PHASES[b.type] ? a : b;
  return a.type !== "spent" && b.type !== "spent" && a.refusals > b.refusals ? a : b;
}

/** Reads the guard's part of a state. Returns `undefined` if a graph was built or entered without it. */
function readGuardState(state: unknown): GuardState | undefined {
  return (state as { readonly [QUERY_KEY]?: GuardState | null } | null)?.[QUERY_KEY] ?? undefined;
}

export function createQuerySchema() {
  const value = z.custom<GuardState>().nullable();
  const field = new ReducedValue(value.default(null), { inputSchema: value, reducer: mergeStates });
  return new StateSchema({ [QUERY_KEY]: field });
}

interface Finishing {
  readonly guard: SingleStep;
  readonly query: GuardedQuery;
  readonly options: GuardedCallOptions;
  readonly config: LangGraphRunnableConfig;
}

/** Returns the outcome of a guarded call, and its query. An interrupt asks a person if the call needs one. */
export async function finishCall(
  outcome: GuardOutcome,
  { guard, query, options, config }: Finishing,
): Promise<{ readonly outcome: GuardOutcome; readonly query: GuardedQuery }> {
  let [settled, current] = [outcome, query];
  while (settled.verdict === "ask") {
    const { pending } = settled;
    const before = await current.toState();
    const { asked, decision } = await decidePending(guard.host, { pending, asked: before, config });
    current = guard.startQuery(asked);
    settled = await current.resume(decision, options);
  }
  throwAborted(settled.code, options.signal);
  return { outcome: settled, query: current };
}
