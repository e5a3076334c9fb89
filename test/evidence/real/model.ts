import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { createMeteredFetch } from "../../../examples/bank-chatbot/src/model.ts";

/** Chat completions of a provider, or of a local server. */
export interface Endpoint {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
}

/** A model, and what it has cost up to now. */
export interface MeteredModel {
  readonly endpoint: Endpoint;
  readonly model: LanguageModel;
  /** Reads what was counted since the last time. */
  readCosts(): Promise<Costs>;
}

export interface Costs {
  readonly modelCalls: number;
  /** Prompts and answers, as the server names them. 0 if it names none. */
  readonly tokens: number;
}

/** Reads the endpoint from the environment. Throws if there is none. */
export function readEndpoint(env: NodeJS.ProcessEnv): Endpoint {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: given, OPENAI_MODEL: modelId } = env;
  if (!given && !apiKey) {
    throw new Error(
      "Set OPENAI_API_KEY, or OPENAI_BASE_URL to any OpenAI-compatible server, such as http://localhost:11434/v1.",
    );
  }
  if (!modelId) throw new Error("Set OPENAI_MODEL to the name of the model.");
  const url = given || "https://api.openai.com/v1";
  if (!URL.canParse(url)) throw new Error(`OPENAI_BASE_URL is "${url}", which is not a URL.`);
  return { url, modelId, apiKey: apiKey || "none" };
}

export function openModel(endpoint: Endpoint): MeteredModel {
  const calls = new Map<string, number>();
  const meter = createMeteredFetch(({ id, tokens = 0 }) => void calls.set(id, tokens));
  const { url: baseURL, modelId, apiKey } = endpoint;
  const provider = createOpenAICompatible({
    name: "evidence",
    baseURL,
    apiKey,
    fetch: meter.fetch,
  });
  return {
    endpoint,
    model: provider.chatModel(modelId),
    async readCosts() {
      await meter.settled();
      const counted = [...calls.values()];
      calls.clear();
      return {
        modelCalls: counted.length,
        tokens: counted.reduce((sum, tokens) => sum + tokens, 0),
      };
    },
  };
}
