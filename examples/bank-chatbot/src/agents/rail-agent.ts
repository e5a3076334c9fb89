import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createTools, shownToUser } from "@toolrail/ai-sdk";
import { type ChainResult, createHost, userView } from "@toolrail/core";
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from "ai";
import type { BankAgent, WidgetChoice } from "./bank-agent.ts";
import { CUSTOMER, INSTRUCTIONS } from "./instructions.ts";
import { toTexts, toTurnReport } from "./turn-report.ts";

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
    async choose({ label, tool, arguments: args }: WidgetChoice) {
      const chain = await host.run({ tool: { server: "bank", name: tool }, arguments: args });
      const { content, verbatim } = userView(chain);
      const rest = content.filter((block) => !verbatim.includes(block));
      const answer = toTexts(rest).join("\n");
      return toTurnReport({ user: label, chains: [chain], answer, modelCalls: 0, tokens: 0 });
    },
    close: () => host.close(),
  };
}
