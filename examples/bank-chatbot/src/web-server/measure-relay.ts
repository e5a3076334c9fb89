import type { BankAgent } from "../agents/bank-agent.ts";
import type { RelayMeasure } from "./protocol.ts";

/**
 * Says the same sentences to a chatbot on plain MCP tools, where the model has to relay, and reports
 * what that cost. Nothing is estimated; what the customer did with controls is not part of it.
 */
export async function measureRelay(
  sentences: readonly string[],
  createAgent: () => Promise<BankAgent>,
): Promise<RelayMeasure> {
  const agent = await createAgent();
  const relay = { modelCalls: 0, tokens: 0, ms: 0 };
  try {
    for (const sentence of sentences) {
      const startMs = performance.now();
      const { modelCalls, tokens } = await agent.say(sentence);
      relay.ms += performance.now() - startMs;
      relay.modelCalls += modelCalls;
      relay.tokens += tokens;
    }
  } finally {
    await agent.close();
  }
  return { sentences: sentences.length, relay };
}
