import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import * as aiSdk from "@toolrail/ai-sdk";
import * as aiSdkPipe from "@toolrail/ai-sdk/pipe";
import type { Host } from "@toolrail/core";
import * as langGraph from "@toolrail/langgraph";
import * as langGraphPipe from "@toolrail/langgraph/pipe";
import { generateText, isStepCount } from "ai";
import { createAgent } from "langchain";

/** The way in which a page is carried: written out again by the model, by a pipe, or by its address. */
export type Way = "relayed" | "piped" | "by reference";

interface Carrying {
  readonly host: Host;
  readonly way: Way;
  /** The address of an OpenAI-compatible provider. */
  readonly url: string;
}

const SCOPE = "carry-1";
const PROMPT = "Save the page as a note.";

/** Runs one conversation on each framework. */
export const FRAMEWORKS: Readonly<Record<string, (carrying: Carrying) => Promise<unknown>>> = {
  "AI SDK": ({ host, way, url }) => {
    const provider = createOpenAICompatible({ name: "offline", baseURL: url });
    return generateText({
      model: provider.chatModel("offline-rules"),
      prompt: PROMPT,
      tools:
        way === "piped"
          ? aiSdkPipe.createPipeTool(host)
          : aiSdk.createTools(host, { conversation: SCOPE }),
      stopWhen: isStepCount(6),
    });
  },
  LangGraph: ({ host, way, url }) => {
    const model = new ChatOpenAI({
      model: "offline-rules",
      apiKey: "none",
      configuration: { baseURL: url },
    });
    const agent = createAgent({
      model,
      tools: way === "piped" ? langGraphPipe.createPipeTool(host) : langGraph.createTools(host),
    });
    const messages = [{ role: "user", content: PROMPT }];
    return agent.invoke({ messages }, { configurable: { thread_id: SCOPE } });
  },
};
