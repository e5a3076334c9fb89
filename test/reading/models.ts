import { AIMessage } from "@langchain/core/messages";
import type { LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { fakeModel } from "langchain";

const toolCallId = "call-1";
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };

/** A model that calls a tool, and then says that it is done. */
export function aiSdkModel(toolName: string): LanguageModel {
  const call = { type: "tool-call", toolCallId, toolName, input: "{}" } as const;
  const calls = { unified: "tool-calls", raw: undefined } as const;
  const stop = { unified: "stop", raw: undefined } as const;
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: calls, usage, warnings: [] },
      { content: [{ type: "text", text: "Done." }], finishReason: stop, usage, warnings: [] },
    ],
  });
}

/** The same for LangChain. */
export function langChainModel(name: string) {
  return fakeModel()
    .respond(new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: toolCallId }] }))
    .respond(new AIMessage("Done."));
}
