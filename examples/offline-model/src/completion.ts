import type { Decision } from "./rule.ts";
import type { ModelCall } from "./usage.ts";

export interface CompletionInput {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly decision: Decision;
  readonly usage: ModelCall;
}

/** The answer to a request without `stream`. */
export function toCompletion(input: CompletionInput): object {
  const { decision } = input;
  const message =
    "text" in decision
      ? { role: "assistant", content: decision.text }
      : { role: "assistant", content: null, tool_calls: toToolCalls(input) };
  return {
    ...toHead(input, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: toFinishReason(decision) }],
    usage: toUsage(input.usage),
  };
}

/** The answer to a request with `stream: true`, piece by piece. The last chunk carries the usage. */
export function toChunks(input: CompletionInput): object[] {
  const head = toHead(input, "chat.completion.chunk");
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...toDeltas(input).map((delta) => chunk(delta)),
    chunk({}, toFinishReason(input.decision)),
    { ...head, choices: [], usage: toUsage(input.usage) },
  ];
}

function toDeltas(input: CompletionInput): object[] {
  const { decision } = input;
  if ("text" in decision) {
    const pieces = decision.text.match(/\s*\S+(?:\s+\S+){0,3}\s*$|\s*\S+(?:\s+\S+){0,3}/g) ?? [];
    return pieces.map((content) => ({ content }));
  }
  return toToolCalls(input).flatMap(({ id, type, function: called }, index) => [
    { tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] },
    { tool_calls: [{ index, function: { arguments: called.arguments } }] },
  ]);
}

function toToolCalls({ id, decision }: CompletionInput) {
  if ("text" in decision) return [];
  return decision.toolCalls.map((call, index) => ({
    id: `call_${id.replaceAll("-", "").slice(0, 24)}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

function toHead({ id, model, created }: CompletionInput, object: string) {
  return { id: `chatcmpl-${id}`, object, created, model };
}

function toFinishReason(decision: Decision): string {
  return "text" in decision ? "stop" : "tool_calls";
}

function toUsage({ promptTokens, completionTokens }: ModelCall) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
