import type { CompiledEach, CompiledStep, ItemStep } from "../types.ts";

/** Creates the steps for the items of a list, each with an id and a path. */
export function itemSteps({ path, body }: CompiledEach, count: number): readonly ItemStep[] {
  return Array.from({ length: count }, (_, index) => {
    const shift = (inner: string) => `${path}.items.${index}${inner.slice(body.path.length)}`;
    return { ...moveStep(body, shift), id: String(index) } as ItemStep;
  });
}

function moveStep(step: CompiledStep, shift: (path: string) => string): CompiledStep {
  const path = shift(step.path);
  if (step.kind === "tool") return { ...step, path };
  const move = (inner: CompiledStep) => moveStep(inner, shift);
  if (step.kind === "parallel") return { ...step, path, children: step.children.map(move) };
  if (step.kind === "for_each") return { ...step, path, body: move(step.body) as ItemStep };
  const pipe = { ...step.pipe, path: shift(step.pipe.path), steps: step.pipe.steps.map(move) };
  return { ...step, path, pipe };
}
