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

/**
 * Composes the caller's conditions. They are not asked during a chain, and see the steps that a model decided, each with the calls
 * and results of the hops that followed it.
 */
export function composeStop(
  stopWhen: RunSettings["stopWhen"] = llmSteps(20),
  { endWhenShown = true }: ChainingOptions,
) {
  const conditions = [stopWhen].flat();
  const shown = shownToUser();
  return async ({ steps }: { readonly steps: readonly StepLike[] }): Promise<boolean> => {
    if (isChainOpen(steps)) return false;
    if (endWhenShown && shown({ steps })) return true;
    const counted = toTurns(steps);
    if (counted.length === 0) return false;
    const answers = await Promise.all(conditions.map((stop) => stop({ steps: counted })));
    return answers.some(Boolean);
  };
}

function toTurns(steps: readonly StepLike[]): readonly StepLike[] {
  const turns: StepLike[][] = [];
  for (const step of steps) {
    if (isModelStep(step)) turns.push([step]);
    else turns.at(-1)?.push(step);
  }
  return turns.map(joinSteps);
}

/** Joins the steps of a turn in one. Its other fields, which the SDK's step partly computes, are those of the first. */
function joinSteps(steps: readonly StepLike[]): StepLike {
  const [first] = steps as readonly [StepLike];
  if (steps.length === 1) return first;
  const names = ["content", "toolCalls", "toolResults"] as const;
  const joined = names.map((name) => {
    const value = steps.flatMap((step) => asRecord(step)[name] ?? []);
    return [name, { value, enumerable: true }];
  });
  return Object.create(first, Object.fromEntries(joined));
}

function isChainOpen(steps: readonly StepLike[]): boolean {
  return (steps.at(-1)?.toolResults ?? []).some(({ output }) => {
    const { callId, ended } = asRecord(output);
    return callId !== undefined && ended === undefined;
  });
}
