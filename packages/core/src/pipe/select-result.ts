import type { CompiledPipe } from "./compiled-pipe.ts";
import type { StepResult } from "./pipe-result.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { resolveValue } from "./resolve-value.ts";
import { showStep } from "./shown-step.ts";

/** What `return` selects; without it what the last step brought. Throws as `resolveValue` does. */
export function selectResult(
  { returns }: CompiledPipe,
  room: { readonly scope: PipeScope; readonly maxBytes: number },
): unknown {
  if (returns !== undefined) return resolveValue(returns, room);
  return (room.scope.last && outcomeOf(showStep(room.scope.last))) ?? null;
}

/** What a step brought, in short. */
function outcomeOf(step: StepResult): unknown {
  if (step.skipped) return null;
  if (step.kind === "tool") return step.structured ?? step.text;
  if (step.kind === "for_each") return step.items.map(outcomeOf);
  if (step.kind === "pipe") return step.result;
  const children = Object.entries(step.children);
  return Object.fromEntries(children.map(([id, child]) => [id, outcomeOf(child)]));
}
