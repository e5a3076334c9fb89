import type { PipePlan, StepPlan } from "@toolrail/core";

/** A step where it stands in its graph. */
export interface PlacedStep {
  readonly step: StepPlan;
  /** The node that runs it. */
  readonly node: string;
  /** The channel that holds its result. */
  readonly channel: string;
  /** The groups around it in the same pipe, the outermost first. */
  readonly groups: readonly PlacedStep[];
}

/**
 * All steps of one pipe with names for their nodes and channels, groups before their children. Prefixes
 * and escapes keep any id clear of the names that LangGraph reserves; different steps have different names.
 */
export function placeSteps({ steps }: PipePlan): PlacedStep[] {
  return steps.flatMap((step) => place(step, []));
}

function place(step: StepPlan, groups: readonly PlacedStep[]): PlacedStep[] {
  const name = [...groups.map((group) => group.step.id), step.id].map(escapeId).join(".");
  const placed = { step, node: `step_${name}`, channel: `out_${name}`, groups };
  if (step.kind !== "parallel") return [placed];
  return [placed, ...step.children.flatMap((child) => place(child, [...groups, placed]))];
}

/** Keeps letters, digits, `-` and `_`; anything else, and `_x`, becomes `_x` and its number in hex. */
function escapeId(id: string): string {
  return id.replace(
    /_(?=x)|[^A-Za-z0-9_-]/gu,
    (char) => `_x${(char.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
