import type { CallOptions, Host } from "@toolrail/core";
import { describeApproval as describeQuestion, engineOf, isHopId } from "@toolrail/core/adapter";
import { canonicalJson } from "@toolrail/core/json";
import { type MessagePart, partsOf } from "./messages.ts";
import type { MadeCall, SdkCall } from "./types.ts";

/** An approval of the SDK, by the id that the SDK gave its question. */
export interface SdkApproval {
  readonly id: string;
  /** False if the SDK has not signed its question, so that whoever sends the messages can have invented it. */
  readonly isSigned: boolean;
}

/** How long it is known that the call of an approval was made. The messages of the SDK do not say when it was asked. */
const KNOWN_FOR_MS = 30 * 86_400_000;

/** Builds the id of a question of the SDK, under which its call is made once. The id of a hop is unique already, however often it is asked about. */
const toId = (approvalId: unknown, toolCallId: unknown) =>
  `ai-sdk:${isHopId(String(toolCallId)) ? toolCallId : approvalId}`;

/**
 * Returns the approval of this call in the messages, or `undefined` if there is none. Only an approval in the last message counts,
 * since the SDK makes approved calls first: earlier approvals belong to calls that were made.
 */
export function readApproval(call: SdkCall): SdkApproval | undefined {
  const { run: messages, toolCallId } = call;
  const responses = partsOf(messages.at(-1), "tool").filter(isResponse);
  if (responses.length === 0) return undefined;
  const requests = requestsOf(messages).filter((part) => part.toolCallId === toolCallId);
  const isAnswer = ({ approvalId }: MessagePart) =>
    requests.some((request) => request.approvalId === approvalId);
  const [answer, ...others] = responses.filter(isAnswer);
  if (!answer || ![answer, ...others].every(({ approved }) => approved === true)) return undefined;
  if (!isAsWritten(call)) return undefined;
  const isSigned = requests.every(({ signature }) => signature !== undefined);
  return { id: toId(answer.approvalId, toolCallId), isSigned };
}

/** True if this is the call in the messages, with its tool and its arguments. */
function isAsWritten({ run: messages, toolCallId, request }: SdkCall): boolean {
  const written = messages
    .flatMap((message) => partsOf(message, "assistant"))
    .findLast((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  if (written?.toolName !== request.tool.modelName) return false;
  return canonicalJson(written.input) === canonicalJson(request.arguments);
}

/** Describes the question that a person has approved, if they have, for the call that it allows: see `CallOptions.approved`. */
export async function describeApproval(
  host: Host,
  { request, approval }: Pick<MadeCall, "request" | "approval">,
  { changes: _, ...options }: CallOptions,
): Promise<string | undefined> {
  if (!approval) return undefined;
  const { id } = approval;
  return describeQuestion(host, request, { ...options, id, ttlMs: KNOWN_FOR_MS });
}

/** Records the denials that the messages begin a run with. The SDK itself runs no denied tool, so nobody else notices them. */
export async function recordDenials(
  host: Host,
  messages: readonly unknown[],
  by: Pick<CallOptions, "conversation" | "context">,
): Promise<void> {
  const { denyQuestion } = engineOf(host);
  const last = messages.findLastIndex((message) => partsOf(message, "assistant").length > 0);
  const denied = messages
    .slice(last + 1)
    .flatMap((message) => partsOf(message, "tool"))
    .filter((part) => isResponse(part) && part.approved === false);
  const requests = requestsOf(messages);
  for (const { approvalId } of denied) {
    const request = requests.find((part) => part.approvalId === approvalId);
    const id = toId(approvalId, request?.toolCallId);
    await denyQuestion({ id, ttlMs: KNOWN_FOR_MS }, by);
  }
}

const isResponse = ({ type }: MessagePart) => type === "tool-approval-response";

function requestsOf(messages: readonly unknown[]): readonly MessagePart[] {
  return messages
    .flatMap((message) => partsOf(message, "assistant"))
    .filter(({ type }) => type === "tool-approval-request");
}
