import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type ChainResult, createHost } from "@toolrail/core";
import { chainMiddleware, createTools, type ToolArtifact } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import type { ModelEndpoint } from "../demo/connect-model.ts";
import type { BankAgent } from "./bank-agent.ts";
import { CUSTOMER, INSTRUCTIONS } from "./instructions.ts";
import { reportChoice, toTurnReport } from "./turn-report.ts";

/** The bank chatbot on LangGraph, with each hop a turn of the agent. */
export async function createLangGraphAgent(
  bank: URL,
  { url, modelId, apiKey }: ModelEndpoint,
): Promise<BankAgent> {
  const client = new Client({ name: "bank-chatbot", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(bank));
  const host = await createHost({ servers: { bank: client }, requestMeta: () => CUSTOMER });

  const agent = createAgent({
    model: new ChatOpenAI({ model: modelId, apiKey, configuration: { baseURL: url } }),
    systemPrompt: INSTRUCTIONS,
    tools: createTools(host),
    middleware: [chainMiddleware(host, { endWhenShown: true })],
    checkpointer: new MemorySaver(),
  });
  const configurable = { thread_id: crypto.randomUUID() };

  return {
    async say(user, signal) {
      const input = { messages: [new HumanMessage(user)] };
      const { messages } = await agent.invoke(input, { configurable, ...(signal && { signal }) });
      const turn = messages.slice(messages.findLastIndex((one) => HumanMessage.isInstance(one)));
      // A turn that a model wrote says what it cost; a hop has cost nothing.
      const usages = turn.flatMap((one) => usageOf(one) ?? []);
      return toTurnReport({
        user,
        chains: toChains(turn),
        answer: turn.at(-1)?.text ?? "",
        modelCalls: usages.length,
        tokens: usages.reduce((sum, usage) => sum + usage.total_tokens, 0),
      });
    },
    choose: (choice) => reportChoice(host, choice),
    close: () => host.close(),
  };
}

function usageOf(message: BaseMessage): UsageMetadata | undefined {
  return AIMessage.isInstance(message) ? message.usage_metadata : undefined;
}

/** The chains of a turn: the hops of one chain are results of one run. */
function toChains(turn: readonly BaseMessage[]): ChainResult[] {
  const chains = new Map<string, ChainResult>();
  for (const message of turn) {
    if (!ToolMessage.isInstance(message)) continue;
    const { runId, hops, ended = "complete" } = message.artifact as ToolArtifact;
    const before = chains.get(runId)?.hops ?? [];
    chains.set(runId, { runId, ended, hops: [...before, ...hops] });
  }
  return [...chains.values()];
}
