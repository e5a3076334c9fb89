import type { ChainableSettings, ChainingOptions } from "./settings-types.ts";
import {
  isChainOpen,
  isModelStep,
  llmSteps,
  type StepLike,
  shownToUser,
} from "./step-conditions.ts";

/** The caller's conditions, asked about the steps that a model decided, and never in the middle of a chain. */
export function composeStop(
  stopWhen: ChainableSettings["stopWhen"] = llmSteps(20),
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
