// The same pipe as one tool of the AI SDK.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createTools } from "@toolrail/ai-sdk";
import { createPipeTool } from "@toolrail/ai-sdk/pipe";
import { generateText, isStepCount } from "ai";
import type { Asking } from "./questions.ts";

/** Gives a model `mcp_pipe`, or the three tools themselves. */
export async function askAiSdk({ host, modelUrl, question, tools }: Asking): Promise<string> {
  const provider = createOpenAICompatible({ name: "offline", baseURL: modelUrl });
  const { text } = await generateText({
    model: provider.chatModel("offline-rules"),
    tools: tools === "mcp_pipe" ? createPipeTool(host) : createTools(host),
    prompt: question,
    stopWhen: isStepCount(10),
  });
  return text;
}
