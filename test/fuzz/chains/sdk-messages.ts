import type { Host } from "@toolrail/core";
import { partText } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import type { ModelMessage } from "ai";
import type { Ledger } from "../world/ledger.ts";
import { askThePerson } from "../world/policy.ts";
import type { ChainCase, EndedChain } from "./chain-case.ts";
import { inOwnWords } from "./in-the-core.ts";

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly approvalId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: string };
}

/** The parts of messages, whoever wrote them. */
function partsOf(messages: readonly { readonly content: unknown }[]): readonly Part[] {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Part[]) : []));
}

/** The person's answer to each question that the last message asks. */
export function answerApprovals(
  messages: readonly ModelMessage[],
  { ledger, host }: { readonly ledger: Ledger; readonly host: Host },
): ModelMessage {
  const parts = partsOf(messages);
  const answered = new Set(
    parts.flatMap(({ type, approvalId }) => (type === ANSWER ? (approvalId ?? []) : [])),
  );
  const asked = parts.filter(
    ({ type, approvalId = "" }) => type === "tool-approval-request" && !answered.has(approvalId),
  );
  if (asked.length === 0) throw new Error("The run stopped, and asks nobody.");
  const content = asked.map(({ approvalId = "", toolCallId }) => {
    const call = parts.findLast((one) => one.type === "tool-call" && one.toolCallId === toolCallId);
    const tool = host.tools.find(({ modelName }) => modelName === call?.toolName);
    if (!tool || !isJsonObject(call?.input)) throw new Error(`There is no call ${toolCallId}.`);
    const pending = { server: tool.server, tool: tool.name, arguments: call.input };
    const word = askThePerson(ledger, { ...pending, origin: { by: "application" } });
    return word === "approve"
      ? ({ type: ANSWER, approvalId, approved: true } as const)
      : ({ type: ANSWER, approvalId, approved: false, reason: word.deny } as const);
  });
  return { role: "tool", content };
}

const ANSWER = "tool-approval-response";

/** What the model read of each of its calls, by the prompt as JSON. */
export function readResults({ starts }: ChainCase, prompt = "[]"): EndedChain[] {
  const results = partsOf(JSON.parse(prompt)).filter(({ type }) => type === "tool-result");
  return starts.map(({ id }) => {
    const [result, ...more] = results.filter(({ toolCallId }) => toolCallId === id);
    if (!result?.output || more.length > 0) throw new Error(`${results.length} results, of ${id}`);
    const { type } = result.output;
    const isError = type.startsWith("error") || type === DENIED;
    return { ended: undefined, isError, read: inOwnWords(textOf(result.output)) };
  });
}

const DENIED = "execution-denied";

function textOf({ type, value }: NonNullable<Part["output"]>): string {
  if (type === DENIED) return "(rejected)";
  if (type !== "content") return String(value);
  const parts = value as readonly { type: string; text?: string; mediaType?: string }[];
  const texts = parts.map(({ text, mediaType = "" }) => {
    return text ?? partText({ type: "file", mimeType: mediaType, data: "" });
  });
  return texts.join("\n");
}
