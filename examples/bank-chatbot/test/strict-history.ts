import type { ChatMessage, Rule } from "@toolrail/example-offline-model";

/** Refuses, as providers do, a history in which a call has no result before the talk goes on. */
export const strictHistory: Rule = ({ messages }) => {
  let open: unknown[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) {
      throw new Error(`No result of ${open.join(", ")} before the next message.`);
    } else {
      open = callIdsOf(message);
    }
  }
  return undefined;
};

function callIdsOf({ tool_calls: calls }: ChatMessage): unknown[] {
  return Array.isArray(calls) ? calls.map(({ id }: { readonly id?: unknown }) => id) : [];
}
