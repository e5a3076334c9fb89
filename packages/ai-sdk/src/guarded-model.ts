/** What a guarded model is held to at the moment it answers. */
export interface ModelGate {
  /** Tool calls that its answer may hold: one, or none. */
  callsLeft(): number;
  /** What the user is told where the model may only answer and says nothing. */
  reply(): string | undefined;
}

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
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  doGenerate(options: unknown): PromiseLike<Generated>;
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/**
 * Puts a gate behind a model: of the tool calls in an answer the first ones pass that may be made, and
 * the rest is as if the model had never asked for it. A model by its name alone is given back as it is:
 * then refused calls stand in the history.
 */
export function guardModel<Model>(model: Model, gate: ModelGate): Model {
  if (!isLanguageModel(model)) return model;
  const { specificationVersion, provider, modelId } = model;
  const guarded: LanguageModel = {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    async doGenerate(options) {
      return filterAnswer(await model.doGenerate(options), gate);
    },
    async doStream(options) {
      const { stream, ...rest } = await model.doStream(options);
      return { ...rest, stream: stream.pipeThrough(filterStream(gate)) };
    },
  };
  return guarded as unknown as Model;
}

function isLanguageModel(model: unknown): model is LanguageModel {
  return (
    typeof model === "object" && model !== null && "doGenerate" in model && "doStream" in model
  );
}

function filterAnswer(answer: Generated, gate: ModelGate): Generated {
  const passes = createCallFilter(gate);
  const content = answer.content.filter((part) => part.type !== "tool-call" || passes(part));
  if (content.some(isCall)) return { ...answer, content };
  const reply = content.some(({ type, text }) => type === "text" && text?.trim())
    ? undefined
    : gate.reply();
  return {
    ...answer,
    content: reply === undefined ? content : [...content, { type: "text", text: reply }],
    finishReason: withoutCalls(answer.finishReason),
  };
}

function filterStream(gate: ModelGate): TransformStream<Part, Part> {
  const passes = createCallFilter(gate);
  let hasCall = false;
  let hasText = false;
  return new TransformStream({
    transform(part, controller) {
      if (part.type === "tool-call" || part.type.startsWith("tool-input-")) {
        if (!passes(part)) return;
        hasCall ||= isCall(part);
      }
      hasText ||= part.type === "text-delta" && Boolean(part.delta?.trim());
      if (part.type !== "finish" || hasCall) return controller.enqueue(part);
      const reply = hasText ? undefined : gate.reply();
      if (reply !== undefined) for (const said of toTextParts(reply)) controller.enqueue(said);
      controller.enqueue({ ...part, finishReason: withoutCalls(part.finishReason) });
    },
  });
}

/** The parts of a text in a stream. */
export function toTextParts(text: string) {
  const id = "toolrail-reply";
  return [
    { type: "text-start" as const, id },
    { type: "text-delta" as const, id, delta: text },
    { type: "text-end" as const, id },
  ];
}

/** Lets the parts of the first call through, where one is left, and of no other. */
function createCallFilter(gate: ModelGate): (part: Part) => boolean {
  const kept = new Set<string>();
  const dropped = new Set<string>();
  return ({ toolCallId, id = toolCallId ?? "" }) => {
    if (kept.has(id)) return true;
    if (dropped.has(id)) return false;
    const passes = kept.size < gate.callsLeft();
    (passes ? kept : dropped).add(id);
    return passes;
  };
}

function isCall({ type }: Part): boolean {
  return type === "tool-call";
}

/** An answer that has lost its calls is an answer that has stopped. */
function withoutCalls(reason: unknown): unknown {
  if (reason === "tool-calls") return "stop";
  if (typeof reason !== "object" || reason === null || !("unified" in reason)) return reason;
  return reason.unified === "tool-calls" ? { ...reason, unified: "stop" } : reason;
}
