import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startOfflineModel } from "@toolrail/example-offline-model";
import type { LanguageModel } from "ai";
import { bankRules } from "../bank-rules.ts";

/** The address of a server for chat completions: any OpenAI-compatible one. */
export interface ModelEndpoint {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
  /** A description for people. */
  readonly description: string;
  close(): Promise<void>;
}

/**
 * The real model of `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`, or the fake one, which waits
 * `thinkMs` before each answer (default 0).
 */
export async function connectModel(env: NodeJS.ProcessEnv, thinkMs = 0): Promise<ModelEndpoint> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = env;
  if (OPENAI_API_KEY) {
    const url = OPENAI_BASE_URL || "https://api.openai.com/v1";
    if (!URL.canParse(url)) throw new Error(`OPENAI_BASE_URL is "${url}", which is not a URL.`);
    const modelId = OPENAI_MODEL ?? "gpt-5-mini";
    const description = `${modelId} at ${url}`;
    return { url, modelId, apiKey: OPENAI_API_KEY, description, close: async () => {} };
  }
  const { url, close } = await startOfflineModel({ rules: bankRules, thinkMs });
  const pause = thinkMs > 0 ? ` that waits ${thinkMs} ms before each answer` : "";
  const description = `an offline, rule-based fake model${pause}; set OPENAI_API_KEY to use a real one`;
  return { url, modelId: "offline-rules", apiKey: "none", description, close };
}

interface ProviderOptions extends Pick<ModelEndpoint, "url" | "modelId" | "apiKey"> {
  readonly fetch?: typeof fetch;
}

/** The endpoint through the provider package of the AI SDK. */
export function toLanguageModel(options: ProviderOptions): LanguageModel {
  const { url: baseURL, modelId, ...settings } = options;
  const provider = createOpenAICompatible({
    name: "bank",
    baseURL,
    includeUsage: true,
    ...settings,
  });
  return provider.chatModel(modelId);
}
