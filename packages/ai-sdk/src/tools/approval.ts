import { isHopId } from "@toolrail/core/adapter";
import { partsOf } from "./messages.ts";
import type { SdkCall } from "./types.ts";

/**
 * Said where the messages hold a yes to this call: it was asked about, and the last message says yes. The SDK runs
 * approved calls before anything else, so an approval further back belongs to a call that has run. What was asked
 * about, the store knows. An unsigned one may be made up by whoever sends the messages; a hop needs a pending hop of the host besides.
 */
export function approvalOf({ messages, toolCallId }: SdkCall): "signed" | "unsigned" | undefined {
  const given = partsOf(messages.at(-1), "tool").filter(
    ({ type }) => type === "tool-approval-response",
  );
  if (given.length === 0) return undefined;
  const asked = messages
    .flatMap((message) => partsOf(message, "assistant"))
    .filter((part) => part.type === "tool-approval-request" && part.toolCallId === toolCallId);
  const answers = given.filter(({ approvalId }) =>
    asked.some((one) => one.approvalId === approvalId),
  );
  if (answers.length === 0 || !answers.every(({ approved }) => approved === true)) return undefined;
  const isSigned = isHopId(toolCallId) || asked.every(({ signature }) => signature !== undefined);
  return isSigned ? "signed" : "unsigned";
}
