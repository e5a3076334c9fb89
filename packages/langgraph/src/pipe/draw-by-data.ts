import type { CompiledPipeGraph } from "./pipe-graph.ts";
import { allSteps, type PlacedPipe, type PlacedStep, placeItems } from "./place-steps.ts";
import { HUB } from "./route-steps.ts";

/** A graph as LangGraph draws it. */
export type Drawn = Awaited<ReturnType<CompiledPipeGraph["getGraphAsync"]>>;

/** Draws what the steps need in place of the hub of each pipe, and says which steps have a condition. */
export function drawByData(drawn: Drawn, pipe: PlacedPipe, prefix = ""): Drawn {
  const steps = allSteps(pipe.steps);
  for (const step of steps) {
    if (step.kind === "pipe") drawByData(drawn, step.pipe, `${prefix}${step.node}:`);
    const [item] = step.kind === "for_each" ? placeItems(step, 1) : [];
    if (item?.kind === "pipe") drawByData(drawn, item.pipe, `${prefix}${item.node}:`);
  }
  if (pipe.sequence) dropHub(drawn, pipe, prefix);
  const conditional = steps.flatMap(({ entry, when }) => (when ? `${prefix}${entry}` : []));
  drawn.edges = drawn.edges.map((edge) => {
    const isWhen = conditional.includes(edge.target) && edge.source !== edge.target;
    return isWhen ? { ...edge, data: "when", conditional: true } : edge;
  });
  return drawn;
}

function dropHub(drawn: Drawn, { steps }: PlacedPipe, prefix: string): void {
  const hub = drawn.nodes[`${prefix}${HUB}`];
  if (!hub) return;
  // An opened nested graph has a first and a last node in place of its own.
  const nameOf = (node: string, end: string) => {
    const opened = `${prefix}${node}:${end}`;
    return drawn.nodes[opened] ? opened : `${prefix}${node}`;
  };
  const first = (node: string) => nameOf(node, "__start__");
  const last = (node: string) => nameOf(node, "__end__");
  const own = new Set(
    allSteps(steps).flatMap((step) => {
      const nodes = [step.entry, step.node, ...(step.kind === "for_each" ? [step.item] : [])];
      return nodes.flatMap((node) => [first(node), last(node)]);
    }),
  );
  const { edges } = drawn;
  const before = edges.flatMap(({ source, target }) =>
    target === hub.id && !own.has(source) ? source : [],
  );
  const after = edges.flatMap(({ source, target }) =>
    source === hub.id && !own.has(target) ? target : [],
  );
  drawn.removeNode(hub);
  const link = (sources: readonly string[], targets: readonly string[]) => {
    for (const source of sources)
      for (const target of targets) drawn.edges.push({ source, target });
  };
  const linkInside = (step: PlacedStep): void => {
    const [entry, end] = [first(step.entry), last(step.node)];
    if (step.kind === "pipe") link([entry], [first(step.node)]);
    if (step.kind === "for_each") {
      link([entry], [first(step.item)]);
      link([last(step.item)], [end]);
    }
    for (const child of step.kind === "parallel" ? step.children : []) {
      link([entry], [first(child.entry)]);
      linkInside(child);
      link([last(child.node)], [end]);
    }
  };
  for (const step of steps) {
    const needed = steps.filter(({ id }) => step.needs.includes(id)).map(({ node }) => last(node));
    link(needed.length > 0 ? needed : before, [first(step.entry)]);
    linkInside(step);
    const isNeeded = steps.some(({ needs }) => needs.includes(step.id));
    if (!isNeeded) link([last(step.node)], after);
  }
}
