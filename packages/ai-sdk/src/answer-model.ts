import { EMPTY_FINISH, type ProviderOptions } from "./sdk.ts";
import { asRecord } from "./tools/messages.ts";

/** The provider of steps that no model decided: see `step.model.provider`. */
export const SILENT_PROVIDER = "toolrail";

/** A part of an answer in the form of a language model. `input` is JSON text. */
type AnswerPart = { providerMetadata: ProviderOptions } & (
  | { type: "text"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string }
);

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

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
}

/** The used part of a language model, of any specification that `ai` 6 and 7 accept. */
interface LanguageModel {
  doGenerate(options: unknown): PromiseLike<{ readonly content: readonly Part[] }>;
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/**
 * Adds the reply to a model's answer if that has neither text nor a tool call, so that the user always gets a text. A
 * model that is given by its name does not change.
 */
export function addReply(model: unknown, reply: string | undefined): unknown {
  if (reply === undefined || !isLanguageModel(model)) return model;
  const { specificationVersion, provider, modelId, supportedUrls } = asRecord(model);
  const methods: LanguageModel = {
    async doGenerate(options) {
      const answer = await model.doGenerate(options);
      if (answer.content.some(isAnswer)) return answer;
      return { ...answer, content: [...answer.content, { type: "text", text: reply }] };
    },
    async doStream(options) {
      const { stream, ...rest } = await model.doStream(options);
      let isAnswered = false;
      const replying = new TransformStream<Part, Part>({
        transform(part, controller) {
          isAnswered ||= isAnswer(part);
          const added = part.type === "finish" && !isAnswered ? toTextParts(reply) : [];
          for (const next of [...added, part]) controller.enqueue(next);
        },
      });
      return { ...rest, stream: stream.pipeThrough(replying) };
    },
  };
  return { specificationVersion, provider, modelId, supportedUrls, ...methods };
}

function isLanguageModel(model: unknown): model is LanguageModel {
  const { doGenerate, doStream } = asRecord(model);
  return typeof doGenerate === "function" && typeof doStream === "function";
}

/** Returns true for a call, and for a text that is not blank. */
function isAnswer({ type, text, delta }: Part): boolean {
  if (type === "text" || type === "text-delta") return Boolean((text ?? delta)?.trim());
  return type === "tool-call";
}

function toTextParts(text: string, providerMetadata?: ProviderOptions) {
  const start = { id: "toolrail-reply", ...(providerMetadata && { providerMetadata }) };
  return [
    { type: "text-start", ...start },
    { type: "text-delta", id: start.id, delta: text },
    { type: "text-end", ...start },
  ];
}
