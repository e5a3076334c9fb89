import { canonicalJson } from "@toolrail/json";
import { asRecord, resultsOf } from "./messages.ts";

/**
 * Builds the key of a call, which is the same for each worker that continues from these messages. Models repeat ids, so the numbers
 * of the user's messages and of the answers with this id distinguish their calls. Returns `undefined` without a conversation.
 */
export function buildCallKey({
  conversation,
  messages,
  toolCallId,
}: {
  readonly conversation: string | undefined;
  readonly messages: readonly unknown[];
  readonly toolCallId: string;
}): string | undefined {
  if (conversation === undefined) return undefined;
  const spoken = messages.filter((message) => asRecord(message).role === "user");
  const answered = messages.flatMap(resultsOf).filter((part) => part.toolCallId === toolCallId);
  return canonicalJson([conversation, spoken.length, answered.length, toolCallId]);
}
