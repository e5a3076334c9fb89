import { type ItemStep, itemSteps } from "@toolrail/core/adapter";
import type {
  CompiledEach,
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
} from "@toolrail/core/pipe";

interface Place {
  /** The node that runs the step. */
  readonly node: string;
  /** The channel that holds how far it has come. */
  readonly channel: string;
}

export interface PlacedTool extends CompiledToolStep, Place {}

export interface PlacedGroup extends CompiledGroup, Place {
  readonly children: readonly PlacedStep[];
}

/** Its steps stand in a graph of their own. */
export interface PlacedNested extends CompiledNested, Place {
  readonly pipe: PlacedPipe;
}

/** Its items are no nodes of their own: one node runs each of them. */
export interface PlacedEach extends CompiledEach, Place {
  /** The node that runs an item. */
  readonly item: string;
  /** The channel that holds how far each item has come, by its number. */
  readonly items: string;
}

/** A step where it stands in its graph. */
export type PlacedStep = PlacedTool | PlacedGroup | PlacedNested | PlacedEach;
/** The step of one item, whose channel is its number among the items. */
export type PlacedItem = PlacedTool | PlacedNested;

export interface PlacedPipe extends CompiledPipe {
  readonly steps: readonly PlacedStep[];
}

/** Names the nodes and channels of all steps: no two alike, and none that LangGraph reserves, whatever the ids. */
export function placeSteps<Given extends CompiledPipe>(pipe: Given): Given & PlacedPipe {
  return { ...pipe, steps: pipe.steps.map((step) => placeStep(step)) };
}

function placeStep(step: CompiledStep, around = ""): PlacedStep {
  const name = around + escapeId(step.id);
  const place = { node: `step_${name}`, channel: `out_${name}` };
  if (step.kind === "tool") return { ...step, ...place };
  if (step.kind === "pipe") return { ...step, ...place, pipe: placeSteps(step.pipe) };
  if (step.kind === "for_each") {
    return { ...step, ...place, item: `item_${name}`, items: `items_${name}` };
  }
  const children = step.children.map((child) => placeStep(child, `${name}.`));
  return { ...step, ...place, children };
}

const placed = new WeakMap<PlacedEach, PlacedItem[]>();

/** The steps of the first items of a list: always the same ones. */
export function placeItems(step: PlacedEach, count: number): readonly PlacedItem[] {
  const known = placed.get(step) ?? [];
  placed.set(step, known);
  if (known.length < count) {
    const more = itemSteps(step, count).slice(known.length);
    const place = ({ id }: ItemStep) => ({ node: step.item, channel: id });
    known.push(...more.map((item) => ({ ...placeStep(item), ...place(item) }) as PlacedItem));
  }
  return known.slice(0, count);
}

/** All steps of one graph, groups before their children. */
export function allSteps(steps: readonly PlacedStep[]): PlacedStep[] {
  return steps.flatMap((step) => [
    step,
    ...(step.kind === "parallel" ? allSteps(step.children) : []),
  ]);
}

/** The nodes of a step: its own, and those of what is in it. */
export function nodesOf(step: PlacedStep): string[] {
  return allSteps([step]).flatMap((one) => {
    return one.kind === "for_each" ? [one.node, one.item] : [one.node];
  });
}

/** Super-steps of one pipe, with room for every step to wait for a person several times. */
export function recursionLimitOf({ steps }: PlacedPipe): number {
  return 25 + 24 * allSteps(steps).length;
}

/** Keeps letters, digits, `-` and `_`; anything else, and `_x`, becomes `_x` and its number in hex. */
function escapeId(id: string): string {
  return id.replace(
    /_(?=x)|[^A-Za-z0-9_-]/gu,
    (char) => `_x${(char.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
