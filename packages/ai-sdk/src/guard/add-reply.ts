import { toTextParts } from "../answer-model.ts";
import { asRecord } from "../tools/messages.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
}

interface Generated {
  readonly content: readonly Part[];
}

/** The used part of a language model, of any specification that `ai` 6 and 7 accept. */
interface LanguageModel {
  doGenerate(options: unknown): PromiseLike<Generated>;
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
