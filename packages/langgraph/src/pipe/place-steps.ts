import type {
  CompiledEach,
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
} from "@toolrail/pipe/engine";
import { itemSteps } from "@toolrail/pipe/engine";

interface Place {
  /** The node that runs the step, named by its id. */
  readonly node: string;
  /** The channel that holds how far it has come. */
  readonly channel: string;
}

interface Joined extends Place {
  /** The node at which its parts meet again. */
  readonly join: string;
}

export type PlacedTool = CompiledToolStep & Place;
/** A nested pipe: a graph of its own. */
export type PlacedNested = Omit<CompiledNested, "pipe"> & Place & { readonly pipe: PlacedPipe };
/** The step of one item, whose channel is its number among the items. */
export type PlacedItem = PlacedTool | PlacedNested;

/** A group or a list inside a group: a graph of its own, whose only step it is. So all parts of a group end in one turn. */
export interface PlacedApart extends Place, Pick<CompiledGroup, "id" | "path" | "when"> {
  readonly kind: "apart";
  readonly pipe: PlacedPipe;
}

/** A step that one node runs. */
export type PlacedPart = PlacedItem | PlacedApart;

interface PlacedGroup extends Omit<CompiledGroup, "children">, Joined {
  readonly children: readonly PlacedPart[];
}

/** Its items are no nodes of their own: one node runs each of them. */
export interface PlacedEach extends CompiledEach, Joined {
  /** The node that runs an item. */
  readonly item: string;
  /** The channel that holds how far each item has come, by its number. */
  readonly items: string;
}

/** A step that has parts. */
export type PlacedHolder = PlacedGroup | PlacedEach;
/** A step where it stands in the list of its graph. */
export type PlacedStep = PlacedItem | PlacedHolder;

export interface PlacedPipe extends Omit<CompiledPipe, "steps"> {
  readonly steps: readonly PlacedStep[];
}

/** Names that mean something in every graph: of nodes and of channels. */
const TAKEN = [
  ...["begin", "finish", "run", "vars", "at"],
  ...["ok", "error", "result", "result_for_model", "steps"],
];

/** Gives nodes their names: no two alike, none of a channel, and none that LangGraph reserves, whatever the ids. */
type Naming = (name: string) => string;

function createNaming(): Naming {
  const taken = new Set(TAKEN);
  return (name) => {
    let free = name;
    // LangGraph looks for a name in an object with a prototype.
    while (taken.has(free) || /^(__|out_|items_)/.test(free) || free in {}) free = `step_${free}`;
    taken.add(free);
    return free;
  };
}

/** Names the nodes and channels of all steps. */
export function placeSteps<Given extends CompiledPipe>(
  pipe: Given,
): Omit<Given, "steps"> & PlacedPipe {
  const naming = createNaming();
  return { ...pipe, steps: pipe.steps.map((step) => placeStep(step, naming)) };
}

function placeStep(step: CompiledStep, naming: Naming): PlacedStep {
  const name = escapeId(step.id);
  const place = { node: naming(name), channel: `out_${name}` };
  if (isOne(step)) return placeOne(step, place);
  const joined = { ...place, join: naming(`${name}/end`) };
  if (step.kind === "for_each") {
    return { ...step, ...joined, item: naming(`${name}.${step.as}`), items: `items_${name}` };
  }
  const children = step.children.map((child): PlacedPart => {
    const part = `${name}.${escapeId(child.id)}`;
    const own = { node: naming(part), channel: `out_${part}` };
    if (isOne(child)) return placeOne(child, own);
    const { id, path, when } = child;
    const alone = { path, vars: {}, steps: [child], returns: undefined, continueOnError: false };
    return { kind: "apart", id, path, when, ...own, pipe: placeSteps(alone) };
  });
  return { ...step, ...joined, children };
}

function isOne(step: CompiledStep): step is CompiledToolStep | CompiledNested {
  return step.kind === "tool" || step.kind === "pipe";
}

function placeOne(step: CompiledToolStep | CompiledNested, place: Place): PlacedItem {
  if (step.kind === "tool") return { ...step, ...place };
  return { ...step, ...place, pipe: placeSteps(step.pipe) };
}

const placed = new WeakMap<PlacedEach, PlacedItem[]>();

/** The steps of the first items of a list: always the same ones. */
export function placeItems(step: PlacedEach, count: number): readonly PlacedItem[] {
  const known = placed.get(step) ?? [];
  placed.set(step, known);
  if (known.length < count) {
    const more = itemSteps(step, count).slice(known.length);
    known.push(...more.map((item) => placeOne(item, { node: step.item, channel: item.id })));
  }
  return known.slice(0, count);
}

/** The step that is a graph of its own, inside a group. */
export function stepApart({ pipe }: PlacedApart): PlacedHolder {
  return pipe.steps[0] as PlacedHolder;
}

/** All steps of one graph, groups before their parts. */
export function allSteps(steps: readonly PlacedStep[]): (PlacedStep | PlacedPart)[] {
  return steps.flatMap((step): (PlacedStep | PlacedPart)[] => {
    return step.kind === "parallel" ? [step, ...step.children] : [step];
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
