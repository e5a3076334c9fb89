import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Host, Progress, Tool } from "@toolrail/core";
import { type CallListeners, engineOf, type HopSummary } from "@toolrail/core/adapter";
import { canonicalJson, isJsonObject, type JsonObject } from "@toolrail/core/json";

/** The config of a tool call: LangGraph's runnable config and the fields that `ToolNode` and `createAgent` add. */
export type CallConfig = LangGraphRunnableConfig & {
  readonly toolCall?: ToolCall;
  readonly toolCallId?: string;
  /** The state of the graph in its tools node. */
  readonly state?: unknown;
};

/** A call of one of the host's tools in a graph. */
export interface ToolCallParts {
  readonly host: Host;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly config: CallConfig;
  readonly listeners: CallListeners;
}

/** An event that a tool call writes to `config.writer`. Read it with `streamMode: "custom"`. */
export type ToolEvent = { readonly toolCallId: string | undefined } & (
  | /** A progress notification of the server. */
  ({ readonly type: "toolrail-progress"; readonly tool: string } & Progress)
  /** A finished call. */
  | ({ readonly type: "toolrail-hop"; readonly callId: string } & HopSummary)
);

export function readToolCallId({ toolCall, toolCallId }: CallConfig): string | undefined {
  return toolCall?.id ?? toolCallId;
}

/**
 * Returns the idempotency key of a call on its thread. Models repeat the ids of calls, so the key contains the id of
 * the message with the call. All workers have the same message, but each may have another task. Without such a
 * message the key contains the task. Without a store that can claim, no call has a key.
 */
export function buildCallKey(
  host: Host,
  { configurable, state }: CallConfig,
  toolCallId: string | undefined,
): string | undefined {
  if (!engineOf(host).isOnce) return undefined;
  const { thread_id: thread, checkpoint_ns } = configurable ?? {};
  if (thread === undefined || toolCallId === undefined) return undefined;
  const task = String(checkpoint_ns);
  const asking = findTurn(state, toolCallId)?.id;
  const asker = asking === undefined ? task : task.slice(0, task.lastIndexOf("|") + 1) + asking;
  return canonicalJson([String(thread), asker, toolCallId]);
}

/** Returns the message of a state that asks for this call or, without an id, the last message of the model. */
export function findTurn(state: unknown, toolCallId?: string): AIMessage | undefined {
  return messagesOf(state).findLast((message): message is AIMessage => {
    if (!AIMessage.isInstance(message)) return false;
    const { tool_calls: calls = [] } = message;
    return toolCallId === undefined || calls.some(({ id }) => id === toolCallId);
  });
}

/** Lists the messages of a state, which is an object or the messages themselves. */
export function messagesOf(state: unknown): BaseMessage[] {
  const messages: unknown = isJsonObject(state) ? state.messages : state;
  return Array.isArray(messages) ? messages : [];
}

/** Returns the config of a graph that runs inside a task, with its checkpoints and its signal. */
export function innerConfig({ configurable = {}, context, signal }: LangGraphRunnableConfig) {
  return { configurable, ...(context && { context }), ...(signal && { signal }) };
}

export function readConversation({ configurable }: LangGraphRunnableConfig): string | undefined {
  const thread: unknown = configurable?.thread_id;
  return thread === undefined || thread === null ? undefined : String(thread);
}

/** Returns what the application stated for all calls of a run. The runtime context overlays the application's keys of `configurable`. */
export function readStated(config: LangGraphRunnableConfig) {
  const { configurable = {}, context: own } = config;
  const keys = Object.entries(configurable).filter(([key]) => !key.startsWith("__"));
  const context: JsonObject = { ...Object.fromEntries(keys), ...(isJsonObject(own) && own) };
  return { conversation: readConversation(config), context };
}
