import { isHopId } from "@toolrail/core/adapter";
import { partsOf } from "./messages.ts";
import type { SdkCall } from "./types.ts";

/**
 * Returns how the messages approve this call, or `undefined` if they do not. Only an approval in the last message
 * counts, since the SDK makes approved calls first: earlier approvals belong to calls that were made. Whoever sends
 * the messages can invent an unsigned approval. The store knows which calls were asked about, and a hop also needs a
 * pending hop.
 */
export function readApproval({
  run: messages,
  toolCallId,
}: SdkCall): "signed" | "unsigned" | undefined {
  const responses = partsOf(messages.at(-1), "tool").filter(
    ({ type }) => type === "tool-approval-response",
  );
  if (responses.length === 0) return undefined;
  const requests = messages
    .flatMap((message) => partsOf(message, "assistant"))
    .filter((part) => part.type === "tool-approval-request" && part.toolCallId === toolCallId);
  const answers = responses.filter(({ approvalId }) =>
    requests.some((request) => request.approvalId === approvalId),
  );
  if (answers.length === 0 || !answers.every(({ approved }) => approved === true)) return undefined;
  const isSigned =
    isHopId(toolCallId) || requests.every(({ signature }) => signature !== undefined);
  return isSigned ? "signed" : "unsigned";
}
