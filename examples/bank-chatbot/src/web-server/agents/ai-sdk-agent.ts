import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createTools, shownToUser } from "@toolrail/ai-sdk";
import type { ChainResult, JsonObject } from "@toolrail/core";
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from "ai";
import { INSTRUCTIONS } from "../../agents/instructions.ts";
import { toApproval } from "./chain-approval.ts";
import type {
  AgentTurn,
  ModelAccess,
  PendingApproval,
  WebAgent,
  WebAgentParts,
} from "./web-agent.ts";

/** The bank chatbot on the AI SDK, streaming. */
export function createAiSdkAgent({ host, model }: WebAgentParts): WebAgent {
  const messages: ModelMessage[] = [];
  const languageModel = toLanguageModel(model);

  async function answer(turn: AgentTurn): Promise<PendingApproval[]> {
    const paused: ChainResult[] = [];
    const tools = createTools(host, {
      onResult: ({ chain }) => void (chain.ended === "needs-approval" && paused.push(chain)),
    });
    const result = streamText({
      model: languageModel,
      instructions: INSTRUCTIONS,
      tools,
      messages,
      abortSignal: turn.signal,
      stopWhen: [isStepCount(8), shownToUser(), () => turn.isOver() || paused.length > 0],
      onError: () => {},
    });
    const asked: PendingApproval[] = [];
    for await (const part of result.stream) {
      if (part.type === "text-delta") turn.output.text(part.text);
      if (part.type === "error") throw part.error;
      if (part.type !== "tool-approval-request") continue;
      const { toolName, input } = part.toolCall;
      const tool = host.tools.find(({ modelName }) => modelName === toolName);
      asked.push({
        call: {
          server: tool?.server ?? "",
          tool: tool?.name ?? toolName,
          arguments: input as JsonObject,
        },
        decide(approved, next) {
          const { approvalId } = part;
          const response = { type: "tool-approval-response", approvalId, approved } as const;
          messages.push({ role: "tool", content: [response] });
          return answer(next);
        },
      });
    }
    if (turn.signal.aborted) return [];
    messages.push(...(await result.responseMessages));
    return [...asked, ...paused.map((chain) => toApproval(host, chain, note))];
  }

  function note(customer: string, bank: string): void {
    messages.push({ role: "user", content: customer }, { role: "assistant", content: bank });
  }

  return {
    say(text, turn) {
      messages.push({ role: "user", content: text });
      return answer(turn);
    },
    note,
  };
}

function toLanguageModel({ url, modelId, apiKey, fetch }: ModelAccess): LanguageModel {
  const options = { name: "bank", baseURL: url, apiKey, fetch, includeUsage: true };
  return createOpenAICompatible(options).chatModel(modelId);
}
