import type { GuardTurn } from "@toolrail/core/guard";
import { toTextParts } from "../answer-model.ts";
import { asRecord } from "../tools/messages.ts";

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly finishReason?: unknown;
}

interface Generated {
  readonly content: readonly Part[];
  readonly finishReason: unknown;
}

/** A language model of any specification that `ai` 6 and 7 take, as far as the guard looks at it. */
interface LanguageModel {
  doGenerate(options: unknown): PromiseLike<Generated>;
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/**
 * Holds the answer of a model to its turn: of its tool calls those pass that may be made, and the rest is as if
 * the model had never asked for it; where it says nothing, the user gets the reply of the turn. A model by its
 * name alone is given back as it is: then refused calls stand in the history.
 */
export function guardModel(model: unknown, turn: GuardTurn): unknown {
  if (!isLanguageModel(model)) return model;
  const { specificationVersion, provider, modelId, supportedUrls } = asRecord(model);
  const guarded: LanguageModel = {
    doGenerate: async (options) => filterAnswer(await model.doGenerate(options), turn),
    async doStream(options) {
      const { stream, ...rest } = await model.doStream(options);
      return { ...rest, stream: stream.pipeThrough(filterStream(turn)) };
    },
  };
  return { specificationVersion, provider, modelId, supportedUrls, ...guarded };
}

function isLanguageModel(model: unknown): model is LanguageModel {
  const { doGenerate, doStream } = asRecord(model);
  return typeof doGenerate === "function" && typeof doStream === "function";
}

function filterAnswer(answer: Generated, turn: GuardTurn): Generated {
  const follow = followAnswer(turn, (text) => [{ type: "text", text }]);
  const finish = { type: "finish", finishReason: answer.finishReason };
  const parts = [...answer.content, finish].flatMap(follow);
  return { ...answer, content: parts.slice(0, -1), finishReason: parts.at(-1)?.finishReason };
}

function filterStream(turn: GuardTurn): TransformStream<Part, Part> {
  const follow = followAnswer(turn, toTextParts);
  return new TransformStream({
    transform(part, controller) {
      for (const one of follow(part)) controller.enqueue(one);
    },
  });
}

/**
 * Follows one answer: gives what passes for each part of it. One that has lost its calls has stopped; where it says
 * nothing, it says the reply.
 */
function followAnswer({ calls, reply }: GuardTurn, say: (text: string) => readonly Part[]) {
  const kept = new Map<string, boolean>();
  let left: number = calls;
  let hasCall = false;
  let hasText = false;
  return (part: Part): readonly Part[] => {
    const { type, toolCallId, id = toolCallId ?? "", text, delta, finishReason } = part;
    if (type === "text" || type === "text-delta") hasText ||= Boolean((text ?? delta)?.trim());
    if (type === "finish" && !hasCall) {
      const said = reply && !hasText ? say(reply.text) : [];
      return [...said, { ...part, finishReason: withoutCalls(finishReason) }];
    }
    if (type !== "tool-call" && !type.startsWith("tool-input-")) return [part];
    const passes = kept.get(id) ?? left-- > 0;
    kept.set(id, passes);
    hasCall ||= passes && type === "tool-call";
    return passes ? [part] : [];
  };
}

function withoutCalls(reason: unknown): unknown {
  if (reason === "tool-calls") return "stop";
  const fields = asRecord(reason);
  return fields.unified === "tool-calls" ? { ...fields, unified: "stop" } : reason;
}
