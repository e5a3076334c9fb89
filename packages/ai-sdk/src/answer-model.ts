import { EMPTY_FINISH } from "./sdk-internals.ts";
import type { ProviderOptions } from "./sdk-types.ts";

/** The provider of steps that no model decided: see `step.model.provider`. */
export const SILENT_PROVIDER = "toolrail";

/** A part of an answer in the form of a language model. `input` is JSON text. */
type AnswerPart = { providerMetadata: ProviderOptions } & (
  | { type: "text"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string }
);

export type ToolCallPart = Extract<AnswerPart, { type: "tool-call" }>;

/**
 * Creates a language model of specification v3, which `ai` 6 and 7 both accept. It calls no real model. Hops are its
 * tool calls, and a reply to the user is its text. Without either it ends the run.
 */
export function createAnswerModel(content: readonly AnswerPart[]): object {
  const isCall = content.some(({ type }) => type === "tool-call");
  const unified = isCall ? "tool-calls" : content.length > 0 ? "stop" : EMPTY_FINISH;
  const finish = { finishReason: { unified, raw: SILENT_PROVIDER }, usage: NOTHING_USED };
  const streamed = content.flatMap((part): object[] =>
    part.type === "text" ? toTextParts(part.text, part.providerMetadata) : [part],
  );
  return {
    specificationVersion: "v3",
    provider: SILENT_PROVIDER,
    modelId: "answer",
    supportedUrls: { "*/*": [/.*/] }, // The SDK need not download files for it.
    doGenerate: async () => ({ content: [...content], ...finish, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream<object>({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of streamed) controller.enqueue(part);
          controller.enqueue({ type: "finish", ...finish });
          controller.close();
        },
      }),
    }),
  };
}

const NOTHING_USED = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

export function toTextParts(text: string, providerMetadata?: ProviderOptions) {
  const start = { id: "toolrail-reply", ...(providerMetadata && { providerMetadata }) };
  return [
    { type: "text-start", ...start },
    { type: "text-delta", id: start.id, delta: text },
    { type: "text-end", ...start },
  ];
}
