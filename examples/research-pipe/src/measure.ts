import type { OfflineModel } from "@toolrail/example-offline-model";

/** An answer, and what the model's server counted until it was there. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly modelCalls: number;
  /** Tokens that the model read: prompts, with all tools and earlier messages. */
  readonly read: number;
  /** Tokens that the model wrote. */
  readonly written: number;
}

/** Does the work, and counts the model calls made for it. Nothing else may use the model meanwhile. */
export async function measure<Answer>(
  model: OfflineModel,
  work: () => Promise<Answer>,
): Promise<Measured<Answer>> {
  const before = model.calls.length;
  const answer = await work();
  const calls = model.calls.slice(before);
  const sum = (of: (call: (typeof calls)[number]) => number) =>
    calls.reduce((total, call) => total + of(call), 0);
  return {
    answer,
    modelCalls: calls.length,
    read: sum(({ promptTokens }) => promptTokens),
    written: sum(({ completionTokens }) => completionTokens),
  };
}
