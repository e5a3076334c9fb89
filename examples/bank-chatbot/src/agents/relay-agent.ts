import { createMCPClient } from "@ai-sdk/mcp";
import type { CallToolResult } from "@toolrail/core";
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from "ai";
import type { BankAgent } from "./bank-agent.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { toTexts } from "./turn-report.ts";

/** The same chatbot on the plain MCP tools of the AI SDK: the model has to relay every step. */
export async function createRelayAgent(bank: URL, model: LanguageModel): Promise<BankAgent> {
  const client = await createMCPClient({ transport: { type: "http", url: bank.href } });
  const tools = await client.tools();
  const messages: ModelMessage[] = [];
  return {
    async say(user, signal) {
      messages.push({ role: "user", content: user });
      const result = await generateText({
        model,
        instructions: INSTRUCTIONS,
        tools,
        messages,
        ...(signal && { abortSignal: signal }),
        stopWhen: isStepCount(6),
      });
      messages.push(...result.responseMessages);
      const calls = result.steps.flatMap((step) => step.toolResults);
      return {
        user,
        shown: result.text ? [result.text] : [],
        hops: calls.map(({ toolName, output }) => ({
          tool: toolName,
          by: "model",
          isError: (output as CallToolResult).isError === true,
        })),
        modelRead: calls.flatMap(({ output }) => toTexts((output as CallToolResult).content)),
        modelCalls: result.steps.length,
        tokens: result.usage.totalTokens ?? 0,
      };
    },
    close: () => client.close(),
  };
}
