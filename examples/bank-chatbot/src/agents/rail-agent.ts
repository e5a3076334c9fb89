import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createTools, shownToUser } from "@toolrail/ai-sdk";
import { type ChainResult, createHost } from "@toolrail/core";
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from "ai";
import type { BankAgent } from "./bank-agent.ts";
import { CUSTOMER, INSTRUCTIONS } from "./instructions.ts";
import { reportChoice, toTurnReport } from "./turn-report.ts";

/** The bank chatbot on the AI SDK, with tools on rails. */
export async function createRailAgent(bank: URL, model: LanguageModel): Promise<BankAgent> {
  const client = new Client({ name: "bank-chatbot", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(bank));
  const host = await createHost({ servers: { bank: client }, requestMeta: () => CUSTOMER });

  const messages: ModelMessage[] = [];
  let chains: ChainResult[] = [];
  const tools = createTools(host, { onResult: ({ chain }) => void chains.push(chain) });

  return {
    async say(user, signal) {
      chains = [];
      messages.push({ role: "user", content: user });
      const result = await generateText({
        model,
        instructions: INSTRUCTIONS,
        tools,
        messages,
        ...(signal && { abortSignal: signal }),
        stopWhen: [isStepCount(6), shownToUser()],
      });
      messages.push(...result.responseMessages);
      const { text: answer, steps, usage } = result;
      const tokens = usage.totalTokens ?? 0;
      return toTurnReport({ user, chains, answer, modelCalls: steps.length, tokens });
    },
    choose: (choice) => reportChoice(host, choice),
    close: () => host.close(),
  };
}
