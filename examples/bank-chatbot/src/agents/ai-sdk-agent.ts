import { type AskedCall, llmSteps, withChaining } from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import type { JsonObject } from "@toolrail/core/json";
import { type ModelMessage, streamText } from "ai";
import { toLanguageModel } from "../demo/connect-model.ts";
import type { AgentParts, AgentTurn, BankAgent, PendingApproval } from "./bank-agent.ts";
import { GUARD_LIST } from "./guard-list.ts";
import { INSTRUCTIONS } from "./instructions.ts";

/** The bank chatbot on the AI SDK: each hop is a step of the run, approvals included. */
export function createAiSdkAgent({ host, model: access, guard }: AgentParts): BankAgent {
  const messages: ModelMessage[] = [];
  const model = toLanguageModel(access);
  const reasons = new Map<string, string | undefined>();
  const conversation = {
    conversation: crypto.randomUUID(),
    onAsk: ({ toolCallId, reason }: AskedCall) => void reasons.set(toolCallId, reason),
  };
  // This secret belongs to this process, as the conversation does. Give all processes of a real bank the same.
  const experimental_toolApprovalSecret = crypto.randomUUID();

  async function answer(queryId: string, turn: AgentTurn): Promise<PendingApproval[]> {
    const settings = {
      ...{ model, instructions: INSTRUCTIONS, messages, abortSignal: turn.signal, maxRetries: 1 },
      experimental_toolApprovalSecret,
      onError: () => {},
    };
    const result = guard
      ? streamText(
          withSingleStep(host, {
            ...settings,
            singleStep: { ...conversation, ...guard, allow: GUARD_LIST, queryId },
          }),
        )
      : streamText(
          withChaining(host, {
            ...settings,
            chaining: conversation,
            stopWhen: llmSteps(8),
          }),
        );
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
