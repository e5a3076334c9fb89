import { canonicalJson } from "@toolrail/core";
import { partsOf } from "./messages.ts";

/** A call as the SDK knows it. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * True where the messages hold the evidence that this very call was approved: it was asked about, and
 * the last message says yes. The SDK runs approved calls before anything else, so an approval further
 * back belongs to a call that has run.
 */
export function isApproved(messages: readonly unknown[], call: SdkCall): boolean {
  const asked = messages.flatMap((message) => partsOf(message, "assistant"));
  const made = asked.findLast(
    (part) => part.type === "tool-call" && part.toolCallId === call.toolCallId,
  );
  if (made?.toolName !== call.toolName) return false;
  if (canonicalJson(made.input) !== canonicalJson(call.input)) return false;
  const approvalIds = asked
    .filter((part) => part.type === "tool-approval-request" && part.toolCallId === call.toolCallId)
    .map((part) => part.approvalId);
  const answers = partsOf(messages.at(-1), "tool").filter(
    (part) => part.type === "tool-approval-response" && approvalIds.includes(part.approvalId),
  );
  return answers.length > 0 && answers.every((part) => part.approved === true);
}
