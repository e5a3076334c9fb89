import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Host, JsonObject } from "@toolrail/core";
import type { LanguageModel, ModelMessage, StreamTextResult, ToolSet } from "ai";
import { type AgentTurn, type ModelAccess, type PendingApproval, WITHDRAWN } from "./web-agent.ts";

export interface AnswerParts {
  readonly host: Host;
  /** The history: what the run adds to it is added. */
  readonly messages: ModelMessage[];
  readonly turn: AgentTurn;
  /** Runs on after an approval, whose answer stands in the history by then. */
  readonly resume: (turn: AgentTurn) => Promise<readonly PendingApproval[]>;
}

/** Passes on what a run of `streamText` says, and collects the calls that wait for a person. */
export async function streamAnswer<Tools extends ToolSet>(
  result: Pick<StreamTextResult<Tools, never, never>, "stream" | "responseMessages">,
  { host, messages, turn, resume }: AnswerParts,
): Promise<PendingApproval[]> {
  const asked: PendingApproval[] = [];
  for await (const part of result.stream) {
    if (part.type === "text-delta") turn.output.text(part.text);
    if (part.type === "error") throw part.error;
    if (part.type !== "tool-approval-request") continue;
    const { approvalId, toolCall } = part;
    const tool = host.tools.find(({ modelName }) => modelName === toolCall.toolName);
    asked.push({
      call: {
        server: tool?.server ?? "",
        tool: tool?.name ?? toolCall.toolName,
        arguments: toolCall.input as JsonObject,
      },
      decide(approved, next) {
        const response = { type: "tool-approval-response", approvalId, approved } as const;
        messages.push({ role: "tool", content: [response] });
        return resume(next);
      },
      withdraw() {
        const { toolCallId, toolName } = toolCall;
        const output = { type: "execution-denied", reason: WITHDRAWN } as const;
        const result = { type: "tool-result", toolCallId, toolName, output } as const;
        messages.push({ role: "tool", content: [result] });
      },
    });
  }
  if (!turn.signal.aborted) messages.push(...(await result.responseMessages));
  return asked;
}

/** The model through the provider package of the AI SDK. */
export function toLanguageModel({ url, modelId, apiKey, fetch }: ModelAccess): LanguageModel {
  const options = { name: "bank", baseURL: url, apiKey, fetch, includeUsage: true };
  return createOpenAICompatible(options).chatModel(modelId);
}

/** What the customer did without the model, as two more messages of the history. */
export function noteIn(messages: ModelMessage[]): (customer: string, bank: string) => void {
  return (customer, bank) =>
    void messages.push({ role: "user", content: customer }, { role: "assistant", content: bank });
}
