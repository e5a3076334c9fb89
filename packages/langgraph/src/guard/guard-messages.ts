import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isHop } from "@toolrail/core/adapter";
import type { GuardOutcome, GuardTurn } from "@toolrail/core/guard";
import { isJsonObject } from "@toolrail/core/json";

/** The key in `response_metadata` of a reply that no model wrote. Its value is the text that models read instead. */
const NOTE = "toolrailNote";

/** Returns the outcome of a guarded tool call from its message, or `undefined` for any other message. */
export function outcomeOf(message: BaseMessage): GuardOutcome | undefined {
  const artifact: unknown = ToolMessage.isInstance(message) ? message.artifact : undefined;
  const { outcome } = isJsonObject(artifact) ? artifact : {};
  if (!isJsonObject(outcome) || typeof outcome.code !== "string") return undefined;
  return "hop" in outcome && !isHop(outcome.hop) ? undefined : (outcome as GuardOutcome);
}

/** Limits an answer to the tool calls that the turn allows. If nothing is left, it becomes the reply of the turn. */
export function limitCalls(message: AIMessage, { calls: most, reply }: GuardTurn): AIMessage {
  const asked = message.tool_calls ?? [];
  const calls = asked.slice(0, most);
  if (calls.length === asked.length && (calls.length > 0 || message.text)) return message;
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
    response_metadata,
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

export function toReplyMessage({ text, note }: NonNullable<GuardTurn["reply"]>): AIMessage {
  return new AIMessage({ content: text, response_metadata: { [NOTE]: note } });
}

/** Replaces each reply that no model wrote by its note, so that no model reads a text meant for the user. */
export function withoutReplies(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const note: unknown = message.response_metadata?.[NOTE];
    return AIMessage.isInstance(message) && typeof note === "string"
      ? new AIMessage(note)
      : message;
  });
}
