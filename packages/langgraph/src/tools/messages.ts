import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { getConfig, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ChainEnd, ContentBlock, Hop, ModelView, ToolrailErrorCode } from "@toolrail/core";
import { isHop, partText, toModelParts } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";

/** The part of a tool message that the application reads and no model does: see `artifactOf`. Plain JSON. */
export interface ToolArtifact {
  readonly runId: string;
  /** The end of the chain. Absent if a hop follows in a separate turn. */
  readonly ended?: ChainEnd;
  /** The calls that this message answers, with their raw results: for `userView` and `modelView`. */
  readonly hops: readonly Hop[];
  /** The reason for the end of the chain. Absent if the chain is complete. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
  /** True if all of it was for the user alone and was shown to them, so that the run may end here. */
  readonly shown?: boolean;
}

/**
 * Returns the artifact of a tool message that Toolrail wrote, or `undefined` for any other message. Do not trust it
 * if clients can write messages.
 */
export function artifactOf(message: BaseMessage): ToolArtifact | undefined {
  const { artifact }: { readonly artifact?: unknown } = Object(message);
  if (!isJsonObject(artifact) || !Array.isArray(artifact.hops)) return undefined;
  return artifact.hops.every(isHop) ? (artifact as unknown as ToolArtifact) : undefined;
}

/** A block of a message. All provider packages of LangChain read images in this form. */
export type MessageBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/**
 * Converts a model view to blocks of a message. Files become a line that names their type, since LangChain has no form of a
 * file that reaches every provider. If there are only images, a line names them too, since some providers accept neither
 * images nor an empty result from a tool.
 */
export function toMessageBlocks(content: readonly ContentBlock[]): MessageBlock[] {
  const parts = toModelParts(content);
  const blocks = parts.map((part): MessageBlock => {
    if (part.type !== "image") return { type: "text", text: partText(part) };
    const url = `data:${part.mimeType};base64,${part.data}`;
    return { type: "image_url", image_url: { url } };
  });
  if (parts.length === 0 || parts.some(({ type }) => type !== "image")) return blocks;
  const kinds = parts.map((part) => part.type === "image" && part.mimeType).join(", ");
  return [{ type: "text", text: `(${kinds})` }, ...blocks];
}

/** Converts blocks to the content of a message. A single text becomes a string, which every provider accepts. */
export function toMessageContent(blocks: readonly MessageBlock[]): string | MessageBlock[] {
  const [first, ...others] = blocks;
  return first?.type === "text" && others.length === 0 ? first.text : [...blocks];
}

/** The tool call that a message answers. `id` is the id of the message, since models repeat the ids of calls. */
interface Answered {
  readonly id: string;
  readonly name: string;
  readonly toolCallId: string;
  readonly artifact: object;
}

/** Creates the message that answers a tool call, with the text for the model and the artifact for the application. */
export function toToolMessage(
  { content, isError }: Pick<ModelView, "content" | "isError">,
  { artifact, id, name, toolCallId }: Answered,
): ToolMessage {
  return new ToolMessage({
    id,
    name,
    tool_call_id: toolCallId,
    content: toMessageContent(toMessageBlocks(content)),
    artifact,
    status: isError ? "error" : "success",
  });
}

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
