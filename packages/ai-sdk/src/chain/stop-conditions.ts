import { allForUser } from "@toolrail/core/adapter";
import { SILENT_PROVIDER } from "../answer-model.ts";
import type { RunSettings, StepLike } from "../run-settings.ts";
import { asRecord } from "../tools/messages.ts";
import type { ChainingOptions } from "./chaining-settings.ts";

/** A condition for `stopWhen`. */
export type StopCondition = (state: { readonly steps: readonly StepLike[] }) => boolean;

function isModelStep({ model }: StepLike): boolean {
  return model.provider !== SILENT_PROVIDER;
}

/** Stops after this number of steps that a model decided. `withChaining` first finishes the chains of the last step. */
export function llmSteps(count: number): StopCondition {
  return ({ steps }) => steps.filter(isModelStep).length >= count;
}

/** Stops if all results since the model's last turn were for the user only, so that the model has nothing to add. */
export function shownToUser(): StopCondition {
  return ({ steps }) => {
    const turn = steps.findLastIndex(isModelStep);
    const since = turn < 0 ? [] : steps.slice(turn);
    const results = since.flatMap(({ toolResults }) => toolResults);
    const calls = since.flatMap(({ toolCalls }) => toolCalls);
    if (isChainOpen(steps) || results.length < calls.length) return false;
    return allForUser(results.map(({ output }) => asRecord(output)));
  };
}

/** Composes the caller's conditions. They see only steps that a model decided, and are not asked during a chain. */
export function composeStop(
  stopWhen: RunSettings["stopWhen"] = llmSteps(20),
  { endWhenShown = true }: ChainingOptions,
) {
  const conditions = [stopWhen].flat();
  const shown = shownToUser();
  return async ({ steps }: { readonly steps: readonly StepLike[] }): Promise<boolean> => {
    if (isChainOpen(steps)) return false;
    if (endWhenShown && shown({ steps })) return true;
    const counted = steps.filter(isModelStep);
    if (counted.length === 0) return false;
    const answers = await Promise.all(conditions.map((stop) => stop({ steps: counted })));
    return answers.some(Boolean);
  };
}

function isChainOpen(steps: readonly StepLike[]): boolean {
  return (steps.at(-1)?.toolResults ?? []).some(({ output }) => {
    const { callId, ended } = asRecord(output);
    return callId !== undefined && ended === undefined;
  });
}
