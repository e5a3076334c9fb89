import { allForUser } from "@toolrail/core/adapter";
import { SILENT_PROVIDER } from "../answer-model.ts";
import type { RunSettings, StepLike } from "../run-settings.ts";
import { asRecord } from "../tools/messages.ts";
import type { ChainingOptions } from "./types.ts";

/** A condition for `stopWhen`. */
export type StopCondition = (state: { readonly steps: readonly StepLike[] }) => boolean;

function isModelStep({ model }: StepLike): boolean {
  return model.provider !== SILENT_PROVIDER;
}

/** Stops after so many steps that a model decided; `withChaining` lets the chains of the last one end. */
export function llmSteps(count: number): StopCondition {
  return ({ steps }) => steps.filter(isModelStep).length >= count;
}

/** Stops when everything since the model's last turn was for the user alone: the model has nothing to add. */
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

/** The caller's conditions, asked about the steps that a model decided, and never in the middle of a chain. */
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
