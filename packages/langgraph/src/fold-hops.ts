import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type MessageBlock, toMessageContent } from "./content-blocks.ts";
import { isHopMessage, rootsIn } from "./hop-messages.ts";
import { artifactOf } from "./tool-message.ts";

/**
 * The messages as if each chain had run inside its first call: results of hops become part of the
 * result of that call, and our own turns go. Providers that insist on signatures, or on ids of their
 * own, then read nothing that they did not write. A hop whose first call is gone, as after a summary of
 * the messages before it, stays a turn of its own.
 */
export function foldHops(messages: readonly BaseMessage[]): BaseMessage[] {
  const roots = rootsOf(messages);
  const folded: BaseMessage[] = [];
  for (const message of messages) {
    const goes =
      isHopMessage(message) && Object.keys(rootsIn(message)).every((id) => roots.has(id));
    if (goes) continue;
    const root = ToolMessage.isInstance(message) ? roots.get(message.tool_call_id) : undefined;
    const at = folded.findLastIndex(
      (other) => ToolMessage.isInstance(other) && other.tool_call_id === root,
    );
    const first = folded[at];
    if (ToolMessage.isInstance(message) && first && ToolMessage.isInstance(first)) {
      folded[at] = joinResults(first, message);
    } else folded.push(message);
  }
  return folded;
}

/** The model's own call that each hop goes back to, for turns of hops that can all be folded. */
function rootsOf(messages: readonly BaseMessage[]): Map<string, string> {
  const roots = new Map<string, string>();
  const results = new Set<string>();
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) results.add(message.tool_call_id);
    const hops = Object.entries(rootsIn(message));
    if (!hops.every(([, root]) => results.has(root))) continue;
    for (const [hop, root] of hops) roots.set(hop, root);
  }
  return roots;
}

function joinResults(first: ToolMessage, second: ToolMessage): ToolMessage {
  const [before, after] = [blocksOf(first), blocksOf(second)];
  const both = isPlaceholder(first)
    ? after
    : isPlaceholder(second)
      ? before
      : [...before, ...after];
  return new ToolMessage({
    ...(first.id !== undefined && { id: first.id }),
    ...(first.name !== undefined && { name: first.name }),
    tool_call_id: first.tool_call_id,
    ...toMessageContent(both),
    artifact: { ...first.artifact, placeholder: isPlaceholder(first) && isPlaceholder(second) },
    status: second.status ?? "success",
  });
}

function blocksOf({ content }: ToolMessage): MessageBlock[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : (content as MessageBlock[]);
}

function isPlaceholder(message: ToolMessage): boolean {
  return artifactOf(message)?.placeholder === true;
}
