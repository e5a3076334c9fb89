import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startOfflineModel } from "@toolrail/example-offline-model";
import type { LanguageModel } from "ai";
import { bankRules } from "./fake-model.ts";

/** Chat completions of an OpenAI-compatible server. */
export interface ModelEndpoint {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** A description for people. */
  readonly description: string;
  close(): Promise<void>;
}

/** The real model of `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`, or the fake one, which waits before each answer. */
export async function connectModel(env: NodeJS.ProcessEnv, thinkMs = 0): Promise<ModelEndpoint> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL, OPENAI_MODEL: modelId = "gpt-5-mini" } = env;
  if (apiKey) {
    const url = OPENAI_BASE_URL || "https://api.openai.com/v1";
    if (!URL.canParse(url)) throw new Error(`OPENAI_BASE_URL is "${url}", which is not a URL.`);
    return { url, modelId, apiKey, description: `${modelId} at ${url}`, close: async () => {} };
  }
  const { url, close } = await startOfflineModel({ rules: bankRules, thinkMs });
  const pause = thinkMs > 0 ? ` that waits ${thinkMs} ms before each answer` : "";
  const description = `an offline, rule-based fake model${pause}; set OPENAI_API_KEY to use a real one`;
  return { url, modelId: "offline-rules", apiKey: "none", description, close };
}

/** The endpoint through the provider package of the AI SDK. */
export function toLanguageModel({ url, modelId, apiKey, fetch }: ModelEndpoint): LanguageModel {
  return createOpenAICompatible({
    ...{ name: "bank", baseURL: url, apiKey, includeUsage: true },
    ...(fetch && { fetch }),
  }).chatModel(modelId);
}

/** One request to a model, as it went over the wire. */
export interface ModelCall {
  readonly id: string;
  readonly state: "running" | "done" | "error";
  readonly durationMs?: number;
  readonly tokens?: number;
}

/**
 * Creates a `fetch` that reports every request and the tokens its answer names, whichever client makes it. `onCall` hears of a
 * request when it is sent and when its answer has been read. `settled` resolves when all answers so far have been read.
 */
export function createMeteredFetch(onCall: (call: ModelCall) => void) {
  let reported: Promise<void> = Promise.resolve();
  const meteredFetch: typeof fetch = async (input, init) => {
    const [id, startMs] = [crypto.randomUUID(), performance.now()];
    const end = (state: ModelCall["state"], text = "") => {
      const found = [...text.matchAll(/"total_tokens"\s*:\s*(\d+)/g)].at(-1)?.[1];
      const durationMs = performance.now() - startMs;
      onCall({ id, state, durationMs, ...(found && { tokens: Number(found) }) });
    };
    const fail = () => end("error");
    onCall({ id, state: "running" });
    const response = await fetch(input, init).catch((error: unknown) => {
      fail();
      throw error;
    });
    const text = response.clone().text();
    const read = text.then((read) => end(response.ok ? "done" : "error", read), fail);
    reported = reported.then(() => read);
    return response;
  };
  return { fetch: meteredFetch, settled: () => reported };
}
