import { type AskedCall, llmSteps, withChaining } from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";
import { type ModelMessage, streamText } from "ai";
import { toLanguageModel } from "../model.ts";
import {
  type AgentParts,
  type AgentTurn,
  type BankAgent,
  GUARD_LIST,
  INSTRUCTIONS,
  type PendingApproval,
} from "./agent.ts";

/**
 * The bank chatbot on the AI SDK: each hop is a step of the run, approvals included. With `onOutcome`, which receives the outcome of
 * each question, it is guarded: a question has one call, of a tool on `GUARD_LIST`.
 */
export function createAiSdkAgent(
  { host, model }: AgentParts,
  onOutcome?: (outcome: GuardOutcome) => void,
): BankAgent {
  const messages: ModelMessage[] = [];
  const reasons = new Map<string, string | undefined>();
  const conversation = {
    conversation: crypto.randomUUID(),
    onAsk: ({ toolCallId, reason }: AskedCall) => void reasons.set(toolCallId, reason),
  };
  const shared = {
    ...{ model: toLanguageModel(model), instructions: INSTRUCTIONS, messages, maxRetries: 1 },
    // This secret belongs to this process, as the conversation does. Give all processes of a real bank the same.
    experimental_toolApprovalSecret: crypto.randomUUID(),
    onError: () => {},
  };

  function stream(queryId: string, abortSignal: AbortSignal) {
    const settings = { ...shared, abortSignal };
    if (onOutcome) {
      const singleStep = { ...conversation, onOutcome, allow: GUARD_LIST, queryId };
      return streamText(withSingleStep(host, { ...settings, singleStep }));
    }
    const stopWhen = llmSteps(8);
    return streamText(withChaining(host, { ...settings, chaining: conversation, stopWhen }));
  }

  async function answer(queryId: string, turn: AgentTurn): Promise<PendingApproval[]> {
    const result = stream(queryId, turn.signal);
    const pending: PendingApproval[] = [];
    for await (const part of result.stream) {
      if (part.type === "text-delta") turn.onText(part.text);
      if (part.type === "error") throw part.error;
      if (part.type !== "tool-approval-request") continue;
      const { approvalId, toolCall } = part;
      pending.push({
        toolName: toolCall.toolName,
        arguments: toolCall.input as JsonObject,
        reason: reasons.get(toolCall.toolCallId),
        decide(approved, next) {
          const response = { type: "tool-approval-response", approvalId, approved } as const;
          messages.push({ role: "tool", content: [response] });
          return answer(queryId, next);
        },
      });
    }
    messages.push(...(await result.responseMessages));
    return pending;
  }

  return {
    say(text, turn) {
      messages.push({ role: "user", content: text });
      return answer(crypto.randomUUID(), turn);
    },
    note(customer, bank) {
      messages.push({ role: "user", content: customer }, { role: "assistant", content: bank });
    },
  };
}
