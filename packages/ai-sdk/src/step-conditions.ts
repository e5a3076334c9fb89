import { SILENT_PROVIDER } from "./silent-model.ts";
import type { ToolOutput } from "./tool-output.ts";

/** A step of the SDK, as far as stop conditions look at it. */
export interface StepLike {
  readonly model: { readonly provider: string };
  readonly toolCalls: readonly unknown[];
  readonly toolResults: readonly { readonly output: unknown }[];
}

/** A condition for `stopWhen`. */
export type StopCondition = (state: { readonly steps: readonly StepLike[] }) => boolean;

/** True for a step that a model decided; false for a hop. */
export function isModelStep({ model }: StepLike): boolean {
  return model.provider !== SILENT_PROVIDER;
}

/** Stops after so many steps that a model decided; `withChaining` lets the chains of the last one end. */
export function llmSteps(count: number): StopCondition {
  return ({ steps }) => steps.filter(isModelStep).length >= count;
}

/**
 * Stops when everything since the model's last turn was for the user alone, so that the model has
 * nothing to add.
 */
export function shownToUser(): StopCondition {
  return ({ steps }) => {
    const turn = steps.findLastIndex(isModelStep);
    const since = turn < 0 ? [] : steps.slice(turn);
    const results = since.flatMap(({ toolResults }) => toolResults);
    const calls = since.flatMap(({ toolCalls }) => toolCalls);
    if (isChainOpen(steps) || results.length === 0 || results.length < calls.length) return false;
    return results.every(({ output }) => hasField(output, "userOnly"));
  };
}

/** True where the last step's results ask for a hop. */
export function isChainOpen(steps: readonly StepLike[]): boolean {
  return (steps.at(-1)?.toolResults ?? []).some(({ output }) => isOpen(output));
}

function isOpen(output: unknown): boolean {
  return hasField(output, "callId") && !hasField(output, "ended");
}

function hasField(output: unknown, name: keyof ToolOutput): boolean {
  return typeof output === "object" && output !== null && name in output;
}
