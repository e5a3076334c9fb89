import { createMCPClient } from "@ai-sdk/mcp";
import type { CallToolResult } from "@toolrail/core";
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from "ai";
import { INSTRUCTIONS } from "../agents/agent.ts";
import { toTexts } from "../conversation/create-conversation.ts";
import type { TurnReport } from "./rails.ts";

/** The same chatbot on the plain MCP tools of the AI SDK: the model has to relay every step. */
export async function createRelayAgent(bank: URL, model: LanguageModel) {
  const client = await createMCPClient({ transport: { type: "http", url: bank.href } });
  const tools = await client.tools();
  const messages: ModelMessage[] = [];
  return {
    async say(user: string, signal?: AbortSignal): Promise<TurnReport> {
      messages.push({ role: "user", content: user });
      const result = await generateText({
        ...{ model, instructions: INSTRUCTIONS, tools, messages, stopWhen: isStepCount(6) },
        ...(signal && { abortSignal: signal }),
      });
      messages.push(...result.responseMessages);
      const calls = result.steps
        .flatMap((step) => step.toolResults)
        .map(({ toolName: tool, output }) => ({ tool, ...(output as CallToolResult) }));
      return {
        user,
        shown: result.text ? [result.text] : [],
        hops: calls.map(({ tool, isError = false }) => ({ tool, by: "model", isError })),
        modelRead: calls.flatMap(({ content }) => toTexts(content)),
        modelCalls: result.steps.length,
        tokens: result.usage.totalTokens ?? 0,
      };
    },
    close: () => client.close(),
  };
}
