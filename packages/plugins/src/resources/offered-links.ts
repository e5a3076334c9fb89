import type { CallToolResult, ToolCall } from "@toolrail/core";
import { createMemoryStore, isForModel, toConversationKey } from "@toolrail/core/plugin";

export interface OfferedLinks {
  /** Remembers the links in a result that a model may read. */
  remember(call: Pick<ToolCall, "tool" | "conversation">, result: CallToolResult): void;
  /** Returns true if a result of this server has linked to the resource in this conversation. */
  has(call: Pick<ToolCall, "tool" | "conversation">, uri: string): boolean;
}

const MOST_BYTES = 4_194_304;
const MOST_SCOPE_BYTES = 262_144;
const LONGEST_URI = 2_048;

/**
 * Remembers links in the memory of this process, for `ttlMs`. If it is full, it removes the oldest links of the largest
 * conversation.
 */
export function createOfferedLinks(now: () => number, ttlMs: number): OfferedLinks {
  const bounds = { maxBytes: MOST_BYTES, maxConversationBytes: MOST_SCOPE_BYTES };
  const store = createMemoryStore({ ...bounds, now });
  const keyOf = ({ tool, conversation }: Pick<ToolCall, "tool" | "conversation">, uri: string) =>
    toConversationKey(conversation, JSON.stringify([tool.server, uri]));
  return {
    remember(call, { content }) {
      for (const block of content.filter(isForModel)) {
        const uri = block.type === "resource_link" ? block.uri : block.resource?.uri;
        if (uri && uri.length <= LONGEST_URI) store.set(keyOf(call, uri), true, ttlMs);
      }
    },
    has: (call, uri) => store.get(keyOf(call, uri)) === true,
  };
}
