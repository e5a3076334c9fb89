import { toTextParts } from "./guarded-model.ts";

interface TextPart {
  type: "text";
  text: string;
  providerMetadata: RawMark;
}

type RawMark = { toolrail: { raw: string } };

type StreamPart =
  | { type: "stream-start"; warnings: [] }
  | { type: "text-start" | "text-end"; id: string; providerMetadata?: RawMark }
  | { type: "text-delta"; id: string; delta: string }
  | ({ type: "finish" } & Finish);

interface Finish {
  finishReason: { unified: "stop"; raw: string };
  usage: {
    inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: number };
    outputTokens: { total: number; text: number; reasoning: number };
  };
}

/** A language model of specification v3, which `ai` 6 and 7 both take. */
export interface ReplyModel {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: unknown): Promise<{ content: TextPart[]; warnings: [] } & Finish>;
  doStream(options: unknown): Promise<{ stream: ReadableStream<StreamPart> }>;
}

/**
 * A model that asks nobody and says one text, at no tokens. `note` is what models read in its place when
 * the text comes back to them in a history.
 */
export function createReplyModel(text: string, note: string): ReplyModel {
  const providerMetadata = { toolrail: { raw: note } };
  const finish: Finish = {
    finishReason: { unified: "stop", raw: "toolrail" },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  };
  const parts = toTextParts(text).map((part) =>
    part.type === "text-delta" ? part : { ...part, providerMetadata },
  );
  return {
    specificationVersion: "v3",
    provider: "toolrail",
    modelId: "reply",
    supportedUrls: { "*/*": [/.*/] },
    doGenerate: async () => ({
      content: [{ type: "text", text, providerMetadata }],
      ...finish,
      warnings: [],
    }),
    doStream: async () => ({
      stream: new ReadableStream<StreamPart>({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of parts) controller.enqueue(part);
          controller.enqueue({ type: "finish", ...finish });
          controller.close();
        },
      }),
    }),
  };
}

/** The messages with every text of ours replaced by its note, so that no model reads what was for the user. */
export function withoutRaw(messages: readonly unknown[]): readonly unknown[] {
  const cleaned = messages.map(cleanMessage);
  return cleaned.every((message, index) => message === messages[index]) ? messages : cleaned;
}

function cleanMessage(message: unknown): unknown {
  const { role, content } = asRecord(message);
  if (role !== "assistant" || !Array.isArray(content)) return message;
  const parts = content.map((part: unknown) => {
    const note = asRecord(asRecord(asRecord(part).providerOptions).toolrail).raw;
    return typeof note === "string" ? { type: "text", text: note } : part;
  });
  return parts.every((part, index) => part === content[index])
    ? message
    : { ...asRecord(message), content: parts };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
