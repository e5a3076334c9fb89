import type { ProviderOptions } from "./sdk-types.ts";

/** The provider of steps that no model decided: see `step.model.provider`. */
export const HOP_PROVIDER = "toolrail";

/** A tool call that is made without asking a model. */
export interface HopCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerMetadata: ProviderOptions;
}

interface ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  /** JSON text. */
  input: string;
  providerMetadata: ProviderOptions;
}

type StreamPart =
  | { type: "stream-start"; warnings: [] }
  | { type: "tool-input-start"; id: string; toolName: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | ToolCallPart
  | ({ type: "finish" } & Finish);

interface Finish {
  finishReason: { unified: "tool-calls" | "stop"; raw: string };
  usage: {
    inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: number };
    outputTokens: { total: number; text: number; reasoning: number };
  };
}

/** A language model of specification v3, which `ai` 6 and 7 both take. */
export interface HopModel {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: unknown): Promise<{ content: ToolCallPart[]; warnings: [] } & Finish>;
  doStream(options: unknown): Promise<{ stream: ReadableStream<StreamPart> }>;
}

/**
 * A model that asks nobody: it answers with these calls, at no tokens, or ends the run where there are
 * none. So each hop is a step of the SDK like any other.
 */
export function createHopModel(calls: readonly HopCall[]): HopModel {
  const content = calls.map(toPart);
  const finish: Finish = {
    finishReason: { unified: content.length > 0 ? "tool-calls" : "stop", raw: HOP_PROVIDER },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  };
  return {
    specificationVersion: "v3",
    provider: HOP_PROVIDER,
    modelId: "chain",
    supportedUrls: { "*/*": [/.*/] }, // Nothing in the history is worth a download for it.
    doGenerate: async () => ({ content, ...finish, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream<StreamPart>({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of content.flatMap(toStreamParts)) controller.enqueue(part);
          controller.enqueue({ type: "finish", ...finish });
          controller.close();
        },
      }),
    }),
  };
}

function toPart({ toolCallId, toolName, input, providerMetadata }: HopCall): ToolCallPart {
  const text = JSON.stringify(input);
  return { type: "tool-call", toolCallId, toolName, input: text, providerMetadata };
}

function toStreamParts(part: ToolCallPart): StreamPart[] {
  const { toolCallId: id, toolName, input: delta } = part;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta },
    { type: "tool-input-end", id },
    part,
  ];
}
