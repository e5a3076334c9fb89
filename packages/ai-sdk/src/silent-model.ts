/** The provider of steps that no model decided: see `step.model.provider`. */
export const SILENT_PROVIDER = "toolrail";

interface Finish {
  finishReason: { unified: "tool-calls" | "stop" | "other"; raw: string };
  usage: {
    inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: number };
    outputTokens: { total: number; text: number; reasoning: number };
  };
}

type StreamPart<Part> =
  | Part
  | { type: "stream-start"; warnings: [] }
  | ({ type: "finish" } & Finish);

/** A language model of specification v3, which `ai` 6 and 7 both take. */
export interface SilentModel<Content, Part> {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: unknown): Promise<{ content: Content[]; warnings: [] } & Finish>;
  doStream(options: unknown): Promise<{ stream: ReadableStream<StreamPart<Part>> }>;
}

export interface SilentAnswer<Content, Part> {
  readonly modelId: string;
  readonly content: Content[];
  /** The same as parts of a stream. */
  readonly parts: readonly Part[];
  readonly finish: "tool-calls" | "stop" | "other";
}

/** A model that asks nobody: its answer is known beforehand and costs no tokens. */
export function createSilentModel<Content, Part>(
  answer: SilentAnswer<Content, Part>,
): SilentModel<Content, Part> {
  const { modelId, content, parts } = answer;
  const finish: Finish = {
    finishReason: { unified: answer.finish, raw: SILENT_PROVIDER },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  };
  return {
    specificationVersion: "v3",
    provider: SILENT_PROVIDER,
    modelId,
    supportedUrls: { "*/*": [/.*/] }, // Nothing in the history is worth a download for it.
    doGenerate: async () => ({ content, ...finish, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream<StreamPart<Part>>({
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
