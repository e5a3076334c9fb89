import type {
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
} from "@toolrail/core/pipe";

interface Place {
  readonly node: string;
  /** The channel of the step's stored entry. */
  readonly channel: string;
}

export type PlacedTool = CompiledToolStep & Place;
export type PlacedNested = Omit<CompiledNested, "pipe"> & Place & { readonly pipe: PlacedPipe };

/** A group inside a group. It has a separate graph, so that all parts of a group end in one turn. */
export interface PlacedApart extends Place, Pick<CompiledGroup, "id" | "path"> {
  readonly kind: "apart";
  readonly pipe: PlacedPipe;
}

export type PlacedPart = PlacedTool | PlacedNested | PlacedApart;

export interface PlacedGroup extends Omit<CompiledGroup, "children">, Place {
  readonly join: string;
  readonly children: readonly PlacedPart[];
}

export type PlacedStep = PlacedTool | PlacedNested | PlacedGroup;

export interface PlacedPipe extends Omit<CompiledPipe, "steps"> {
  readonly steps: readonly PlacedStep[];
}

/** The names of nodes and channels that every graph has. */
const TAKEN = [
  ...["begin", "finish", "run", "vars"],
  ...["ok", "error", "result", "result_for_model", "steps"],
];

/** Makes a node name that differs from all nodes, channels and reserved names of LangGraph, whatever the ids. */
type Naming = (name: string) => string;

function createNaming(): Naming {
  const taken = new Set(TAKEN);
  return (name) => {
    let free = name;
    // LangGraph looks names up in an object with a prototype.
    while (taken.has(free) || /^(__|out_)/.test(free) || free in {}) free = `step_${free}`;
    taken.add(free);
    return free;
  };
}

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
  const join = naming(`${name}/end`);
  const children = step.children.map((child): PlacedPart => {
    const part = `${name}.${escapeId(child.id)}`;
    const childPlace = { node: naming(part), channel: `out_${part}` };
    if (isOne(child)) return placeOne(child, childPlace);
    const { id, path } = child;
    const alone = { path, vars: {}, steps: [child], returns: undefined, continueOnError: false };
    return { kind: "apart", id, path, ...childPlace, pipe: placeSteps(alone) };
  });
  return { ...step, ...place, join, children };
}

function isOne(step: CompiledStep): step is CompiledToolStep | CompiledNested {
  return step.kind === "tool" || step.kind === "pipe";
}

function placeOne(
  step: CompiledToolStep | CompiledNested,
  place: Place,
): PlacedTool | PlacedNested {
  if (step.kind === "tool") return { ...step, ...place };
  return { ...step, ...place, pipe: placeSteps(step.pipe) };
}

export function stepApart({ pipe }: PlacedApart): PlacedGroup {
  return pipe.steps[0] as PlacedGroup;
}

/** Lists all steps of one graph, with groups before their parts. */
export function allSteps(steps: readonly PlacedStep[]): (PlacedStep | PlacedPart)[] {
  return steps.flatMap((step): (PlacedStep | PlacedPart)[] => {
    return step.kind === "parallel" ? [step, ...step.children] : [step];
  });
}

/** Returns the super-steps that one pipe may take. Every step may wait for a person several times. */
export function findRecursionLimit({ steps }: PlacedPipe): number {
  return 25 + 24 * allSteps(steps).length;
}

/** Keeps letters, digits, `-` and `_`. Escapes other characters, and the `_` of `_x`, with their number in hex. */
function escapeId(id: string): string {
  return id.replace(
    /_(?=x)|[^A-Za-z0-9_-]/gu,
    (char) => `_x${(char.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
