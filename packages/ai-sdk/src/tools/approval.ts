import { canonicalJson, isHopId } from "@toolrail/core/adapter";
import { partsOf } from "./messages.ts";
import type { SdkCall } from "./sdk-tool.ts";

/**
 * Said where the messages hold the evidence that this very call was approved: it was asked about, and
 * the last message says yes. The SDK runs approved calls before anything else, so an approval further
 * back belongs to a call that has run. An unsigned one may be made up by whoever sends the messages, and the
 * call with it; a hop needs its ticket besides.
 */
export function approvalOf(call: SdkCall): "signed" | "unsigned" | undefined {
  const { messages, toolCallId, request } = call;
  const { tool, arguments: input } = request;
  const said = messages
    .flatMap((message) => partsOf(message, "assistant"))
    .filter((part) => part.toolCallId === toolCallId);
  const made = said.findLast(({ type }) => type === "tool-call");
  if (made?.toolName !== tool.modelName) return undefined;
  if (canonicalJson(made.input) !== canonicalJson(input)) return undefined;
  const asked = said.filter(({ type }) => type === "tool-approval-request");
  const answers = partsOf(messages.at(-1), "tool").filter(
    ({ type, approvalId }) =>
      type === "tool-approval-response" && asked.some((one) => one.approvalId === approvalId),
  );
  if (answers.length === 0 || !answers.every(({ approved }) => approved === true)) return undefined;
  const isSigned = isHopId(toolCallId) || asked.every(({ signature }) => signature !== undefined);
  return isSigned ? "signed" : "unsigned";
}
