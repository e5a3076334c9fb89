import { allForUser, invalidOptions } from "@toolrail/core/adapter";
import { SILENT_PROVIDER } from "../answer-model.ts";
import { isAnyMet, type RunSettings, type StepLike } from "../run-settings.ts";
import { asRecord } from "../tools/messages.ts";

/** A condition for `stopWhen`. */
export type StopCondition = (state: { readonly steps: readonly StepLike[] }) => boolean;

function isModelStep({ model }: StepLike): boolean {
  return model.provider !== SILENT_PROVIDER;
}

/** Stops after this number of steps that a model decided. `withChaining` first finishes the chains of the last step. */
export function llmSteps(count: number): StopCondition {
  if (!Number.isSafeInteger(count)) throw invalidOptions("llmSteps takes a whole number of steps.");
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
  { endWhenShown = true }: { readonly endWhenShown?: boolean },
) {
  const shown = shownToUser();
  return async ({ steps }: { readonly steps: readonly StepLike[] }): Promise<boolean> => {
    if (isChainOpen(steps)) return false;
    if (endWhenShown && shown({ steps })) return true;
    const turns: StepLike[] = [];
    for (const step of steps) {
      const turn = turns.at(-1);
      if (isModelStep(step)) turns.push(step);
      else if (turn) turns.splice(-1, 1, joinSteps(turn, step));
    }
    return turns.length > 0 && (await isAnyMet(stopWhen, { steps: turns }));
  };
}

/** Adds a hop to the step of its turn. The other fields, some of which the SDK's step computes, are those of the turn. */
function joinSteps(turn: StepLike, hop: StepLike): StepLike {
  const joined = ["content", "toolCalls", "toolResults"].map((name) => {
    const value = [turn, hop].flatMap((step) => asRecord(step)[name] ?? []);
    return [name, { value, enumerable: true }];
  });
  return Object.create(turn, Object.fromEntries(joined));
}

function isChainOpen(steps: readonly StepLike[]): boolean {
  return (steps.at(-1)?.toolResults ?? []).some(({ output }) => {
    const { callId, ended } = asRecord(output);
    return callId !== undefined && ended === undefined;
  });
}
