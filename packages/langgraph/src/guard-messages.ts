import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type GuardOutcome,
  type Hop,
  type ModelViewOptions,
  outcomeText,
  outcomeView,
} from "@toolrail/core";
import { toContentBlocks, toMessageContent } from "./content-blocks.ts";

const METADATA = "toolrail";

/** The artifact of a guarded call's message: what the application gets and no model reads. */
export interface GuardArtifact {
  readonly outcome: GuardOutcome;
  /** The one call, where it was made. */
  readonly hops: readonly Hop[];
}

/** The answer to a tool call: the typed result, or a line of ours. */
export function toGuardedMessage(
  outcome: GuardOutcome,
  { name, toolCallId }: { name: string; toolCallId: string },
  options: ModelViewOptions,
): ToolMessage {
  const { content, isError } = outcomeView(outcome, options);
  const artifact: GuardArtifact = { outcome, hops: "hop" in outcome ? [outcome.hop] : [] };
  return new ToolMessage({
    name,
    tool_call_id: toolCallId,
    ...toMessageContent(toContentBlocks(content)),
    artifact,
    status: isError ? "error" : "success",
  });
}

/** The answer of a model with this many of its tool calls; `reply` stands in where nothing is left. */
export function limitCalls(message: AIMessage, most: number, reply: string | undefined): AIMessage {
  const calls = (message.tool_calls ?? []).slice(0, most);
  if (calls.length === (message.tool_calls ?? []).length && (calls.length > 0 || message.text)) {
    return message;
  }
  const kept = new Set(calls.map(({ id }) => id));
  const { usage_metadata } = message;
  const { tool_calls: _, ...kwargs } = message.additional_kwargs;
  const isEmpty = calls.length === 0 && message.text.trim() === "";
  const content = isEmpty && reply !== undefined ? reply : withoutCalls(message.content, kept);
  return new AIMessage({
    ...(message.id !== undefined && { id: message.id }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    content,
    tool_calls: calls,
    additional_kwargs: kwargs,
    response_metadata: message.response_metadata,
  });
}

/** Some providers repeat tool calls as blocks of the content. */
function withoutCalls(content: AIMessage["content"], kept: ReadonlySet<string | undefined>) {
  if (typeof content === "string") return content;
  return content.filter((block) => {
    const { type, id } = block as { type?: string; id?: string };
    return (
      !(type === "tool_use" || type === "tool_call" || type === "functionCall") || kept.has(id)
    );
  });
}

/** The reply to the user that no model wrote. */
export function toReplyMessage(outcome: GuardOutcome): AIMessage {
  const metadata = { raw: `(${outcome.code})` };
  return new AIMessage({
    content: outcomeText(outcome),
    response_metadata: { [METADATA]: metadata },
  });
}

/** The messages with every reply of ours replaced by a note, so that no model reads what was for the user. */
export function withoutReplies(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const { raw } = (message.response_metadata?.[METADATA] ?? {}) as { raw?: string };
    return AIMessage.isInstance(message) && raw !== undefined ? new AIMessage(raw) : message;
  });
}
