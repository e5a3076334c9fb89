import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { foldChains, type HistoryEntry, invalidOptions, labelCalls } from "@toolrail/core/adapter";
import { readBlocks, toMessageContent } from "../tools/content-blocks.ts";
import { artifactOf } from "../tools/tool-artifact.ts";
import { coverHops, rootsIn } from "./hop-messages.ts";

/**
 * Returns the messages as if each chain had run inside its first call: the results of its hops become part of that
 * call's result, and turns that no model wrote are removed. Some providers require signatures or their own ids, and
 * then read only turns that they wrote. A hop stays a separate turn if its first call is missing, for example because
 * a summary replaced earlier messages. It then has no arguments if they contain content for the user alone.
 */
export function foldHops(messages: readonly BaseMessage[]): BaseMessage[] {
  if (!Array.isArray(messages)) throw invalidOptions("foldHops takes the list of messages.");
  const { roots, chains } = foldChains(messages.flatMap(toEntry));
  return messages.flatMap((message) => {
    if (ToolMessage.isInstance(message)) {
      if (roots.has(message.tool_call_id)) return [];
      const chain = chains.get(message);
      return chain ? joinResults(chain) : message;
    }
    const hops = rootsIn(message);
    return hops && Object.keys(hops).every((id) => roots.has(id)) ? [] : coverHops(message);
  });
}

function toEntry(message: BaseMessage): HistoryEntry<ToolMessage>[] {
  if (ToolMessage.isInstance(message)) {
    return [{ type: "result", id: message.tool_call_id, result: message }];
  }
  const hops = rootsIn(message);
  return hops ? [{ type: "hops", roots: hops }] : [];
}

function joinResults(chain: readonly ToolMessage[]): ToolMessage {
  const [first] = chain as [ToolMessage];
  const found = chain.map(artifactOf);
  const artifacts = found.flatMap((artifact) => artifact ?? []);
  const calls = chain.map((message, at) => ({
    name: message.name ?? "",
    isMade: found[at] && found[at].hops.length > 0,
    parts: readBlocks(message),
  }));
  return new ToolMessage({
    ...(first.id !== undefined && { id: first.id }),
    ...(first.name !== undefined && { name: first.name }),
    tool_call_id: first.tool_call_id,
    content: toMessageContent(labelCalls(calls)),
    artifact: { ...artifacts.at(-1), hops: artifacts.flatMap(({ hops }) => hops) },
    status: chain.at(-1)?.status ?? "success",
  });
}
