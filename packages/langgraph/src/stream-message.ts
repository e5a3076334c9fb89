import type { BaseMessage } from "@langchain/core/messages";
import { getConfig, type LangGraphRunnableConfig } from "@langchain/langgraph";

/**
 * Passes a message on to `streamMode: "messages"`. LangGraph streams what a node returns as it is, but
 * not what stands in a `Command`, nor what a middleware answers for a model. It leaves out the second
 * of two messages with one id, so that nothing comes twice where it should learn to.
 */
export async function streamMessage(
  message: BaseMessage,
  { callbacks, metadata }: LangGraphRunnableConfig = getConfig() ?? {},
): Promise<void> {
  const handlers = Array.isArray(callbacks) ? callbacks : (callbacks?.handlers ?? []);
  const runId = crypto.randomUUID();
  for (const handler of handlers) {
    if (!("name" in handler) || handler.name !== STREAM) continue;
    // It streams what a run with the name of its node ends with.
    const name = metadata?.langgraph_node as string | undefined;
    await handler.handleChainStart?.(NODE, {}, runId, undefined, [], metadata, undefined, name);
    await handler.handleChainEnd?.({ messages: [message] }, runId);
  }
}

const STREAM = "StreamMessagesHandler";
const NODE = { lc: 1, type: "not_implemented" as const, id: [] };
