import type { BaseMessage } from "@langchain/core/messages";
import { getConfig, type LangGraphRunnableConfig } from "@langchain/langgraph";

/**
 * Sends a message to `streamMode: "messages"`. LangGraph streams the return value of a node, but no message inside a
 * `Command` and no answer that a middleware gives for a model. If a later version of LangGraph streams them, nothing
 * appears twice: its handler drops the second message with one id.
 */
export async function streamMessage(
  message: BaseMessage,
  { callbacks, metadata }: LangGraphRunnableConfig = getConfig() ?? {},
): Promise<void> {
  const handlers = Array.isArray(callbacks) ? callbacks : (callbacks?.handlers ?? []);
  const runId = crypto.randomUUID();
  for (const handler of handlers) {
    if (!("name" in handler) || handler.name !== "StreamMessagesHandler") continue;
    // The handler streams the output of a run that has the name of its node.
    const name = metadata?.langgraph_node as string | undefined;
    await handler.handleChainStart?.(NODE, {}, runId, undefined, [], metadata, undefined, name);
    await handler.handleChainEnd?.({ messages: [message] }, runId);
  }
}

const NODE = { lc: 1, type: "not_implemented" as const, id: [] };
