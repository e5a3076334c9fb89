import type { OfflineModel } from "@toolrail/example-offline-model";
import type { Research } from "./open-research.ts";

/** An answer, and what was spent until it was there. The model's server counts the tokens. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly toolCalls: number;
  readonly modelCalls: number;
  /** Tokens that the model read: prompts, with all tools and earlier messages. */
  readonly read: number;
  /** Tokens that the model wrote. */
  readonly written: number;
}

/** Does the work, and counts the calls made for it. No other work may use the model and the tools at that time. */
export async function measure<Answer>(
  model: OfflineModel,
  { toolCalls }: Research,
  work: () => Promise<Answer>,
): Promise<Measured<Answer>> {
  const before = { model: model.calls.length, tools: toolCalls.length };
  const answer = await work();
  const calls = model.calls.slice(before.model);
  const sum = (of: (call: (typeof calls)[number]) => number) =>
    calls.reduce((total, call) => total + of(call), 0);
  return {
    answer,
    toolCalls: toolCalls.length - before.tools,
    modelCalls: calls.length,
    read: sum(({ promptTokens }) => promptTokens),
    written: sum(({ completionTokens }) => completionTokens),
  };
}
