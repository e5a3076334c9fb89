import { AIMessage, type BaseMessage } from "@langchain/core/messages";

/** What of these messages goes to a provider: artifacts stay with the application. */
export function shownIn(messages: readonly BaseMessage[]): string {
  return JSON.stringify(
    messages.map((message) => [
      message.type,
      message.content,
      AIMessage.isInstance(message) && message.tool_calls,
    ]),
  );
}
