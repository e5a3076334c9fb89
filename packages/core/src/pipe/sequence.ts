import type { CompiledStep } from "./compiled-pipe.ts";
import type { Site } from "./known-scope.ts";

/** The ids of steps, each after those that it needs, else as they are listed. Notes steps that wait for one another. */
export function sequenceOf(
  steps: readonly CompiledStep[],
  { at, problems }: Pick<Site, "at" | "problems">,
): readonly string[] {
  const sequence = new Set<string>();
  const isReady = ({ id, needs }: CompiledStep) =>
    !sequence.has(id) && needs.every((need) => sequence.has(need));
  for (let next = steps.find(isReady); next; next = steps.find(isReady)) sequence.add(next.id);
  const stuck = steps.find(({ id }) => !sequence.has(id));
  if (!stuck) return [...sequence];
  const trail: string[] = [];
  let step: CompiledStep | undefined = stuck;
  while (step && !trail.includes(step.id)) {
    trail.push(step.id);
    const need: string | undefined = step.needs.find((id) => !sequence.has(id));
    step = steps.find(({ id }) => id === need);
  }
  const circle = [...trail.slice(trail.indexOf(step?.id ?? "")), step?.id].join(" → ");
  const message = `steps ${circle} wait for each other; let one of them refer to something else`;
  problems.push({ path: at, message });
  return steps.map(({ id }) => id);
}
