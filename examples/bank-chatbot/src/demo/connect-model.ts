import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startOfflineModel } from "@toolrail/example-offline-model";
import type { LanguageModel } from "ai";
import { bankRules } from "../bank-rules.ts";

/** Where chat completions are had: any OpenAI-compatible server. */
export interface ModelEndpoint {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
  /** For a person to read. */
  readonly description: string;
  close(): Promise<void>;
}

/** The real model of `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`, or the offline stand-in. */
export async function connectModel(env: NodeJS.ProcessEnv): Promise<ModelEndpoint> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = env;
  if (OPENAI_API_KEY) {
    const url = OPENAI_BASE_URL || "https://api.openai.com/v1";
    if (!URL.canParse(url)) throw new Error(`OPENAI_BASE_URL is "${url}", which is no URL.`);
    const modelId = OPENAI_MODEL ?? "gpt-5-mini";
    const description = `${modelId} at ${url}`;
    return { url, modelId, apiKey: OPENAI_API_KEY, description, close: async () => {} };
  }
  const offline = await startOfflineModel({ rules: bankRules });
  return {
    url: offline.url,
    modelId: "offline-rules",
    apiKey: "none",
    description:
      "an offline, rule-based stand-in on the real wire; set OPENAI_API_KEY to use a real model",
    close: offline.close,
  };
}

/** The endpoint through the provider package of the AI SDK. */
export function toLanguageModel({ url, modelId, apiKey }: ModelEndpoint): LanguageModel {
  const provider = createOpenAICompatible({
    name: "bank",
    baseURL: url,
    apiKey,
    includeUsage: true,
  });
  return provider.chatModel(modelId);
}
