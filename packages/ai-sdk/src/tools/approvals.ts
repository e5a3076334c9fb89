import type { CallOptions, Host } from "@toolrail/core";
import { describeApproval as describeQuestion, engineOf, isHopId } from "@toolrail/core/adapter";
import { canonicalJson } from "@toolrail/core/json";
import type { CallToApprove, RunSettings } from "../run-settings.ts";
import type { SdkTool, ToolCallOptions } from "../sdk.ts";
import { asRecord, findCall, partsOf } from "./messages.ts";
import type { MadeCall, SdkCall } from "./sdk-tool.ts";

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

const requestsOf = (messages: readonly unknown[]) =>
  partsOf(messages, "assistant", "tool-approval-request");
const responsesOf = (messages: readonly unknown[]) =>
  partsOf(messages, "tool", "tool-approval-response");

/**
 * Returns the approval of this call in the messages, or `undefined` if there is none. Only an approval in the last message counts,
 * since the SDK makes approved calls first: earlier approvals belong to calls that were made. The call must be as in the messages.
 */
export function readApproval({
  messages,
  toolCallId,
  request: { tool, arguments: args },
}: Pick<SdkCall, "messages" | "toolCallId" | "request">): SdkApproval | undefined {
  const responses = responsesOf(messages.slice(-1));
  if (responses.length === 0) return undefined;
  const requests = requestsOf(messages).filter((part) => part.toolCallId === toolCallId);
  const asked = new Set(requests.map(({ approvalId }) => approvalId));
  const answers = responses.filter(({ approvalId }) => asked.has(approvalId));
  const [answer] = answers;
  if (!answer || !answers.every(({ approved }) => approved === true)) return undefined;
  const written = findCall(messages, toolCallId);
  if (written?.toolName !== tool.modelName) return undefined;
  if (canonicalJson(written.input) !== canonicalJson(args)) return undefined;
  const isSigned = requests.every(({ signature }) => signature !== undefined);
  return { id: toId(answer.approvalId, toolCallId), isSigned };
}

/** Describes the question that a person has approved, for the call that it allows: see `CallOptions.approved`. */
export async function describeApproval(
  host: Host,
  { request, options }: Pick<MadeCall, "request" | "options">,
  { id }: SdkApproval,
): Promise<string | undefined> {
  const { changes: _, ...asking } = options;
  return describeQuestion(host, request, { ...asking, id, ttlMs: KNOWN_FOR_MS });
}

/** Records the denials that the messages begin a run with. The SDK itself runs no denied tool, so nobody else notices them. */
export async function recordDenials(
  host: Host,
  messages: readonly unknown[],
  by: Pick<CallOptions, "conversation" | "context">,
): Promise<void> {
  const last = messages.findLastIndex((message) => partsOf([message], "assistant").length > 0);
  const responses = responsesOf(messages.slice(last + 1));
  const requests = requestsOf(messages);
  for (const { approvalId } of responses.filter(({ approved }) => approved === false)) {
    const request = requests.find((part) => part.approvalId === approvalId);
    const id = toId(approvalId, request?.toolCallId);
    await engineOf(host).denyQuestion({ id, ttlMs: KNOWN_FOR_MS }, by);
  }
}

/**
 * Composes `toolApproval` of `ai` 7, which would otherwise replace `authorize` and the allowlist. If it requires no
 * approval, the host decides. Its other answers count. If it asks a person, the host still reports what it would ask.
 */
export function composeApproval(
  approval: NonNullable<RunSettings["toolApproval"]>,
  tools: Readonly<Record<string, Pick<SdkTool<unknown>, "needsApproval">>>,
): unknown {
  const orAskHost = async (status: unknown, call: CallToApprove & ToolCallOptions) => {
    const { toolName, input } = call;
    const { type = "not-applicable" } =
      typeof status === "string" ? { type: status } : asRecord(status);
    const isOpen = type === "not-applicable";
    if (!(isOpen || type === "user-approval") || !Object.hasOwn(tools, toolName)) return status;
    const asks = await tools[toolName]?.needsApproval(input, call);
    return asks && isOpen ? "user-approval" : status;
  };
  if (typeof approval === "function") {
    return async (options: Parameters<typeof approval>[0]) => {
      const { toolCall, messages, toolsContext } = options;
      const context = toolsContext?.[toolCall.toolName];
      return orAskHost(await approval(options), { ...toolCall, messages, context });
    };
  }
  const entries = Object.entries(approval).map(([toolName, rule]) => {
    const ask = async (input: unknown, options: ToolCallOptions & { toolContext: unknown }) => {
      const status = typeof rule === "function" ? await rule(input, options) : rule;
      return orAskHost(status, { ...options, context: options.toolContext, toolName, input });
    };
    return [toolName, rule ? ask : rule];
  });
  return Object.fromEntries(entries);
}
