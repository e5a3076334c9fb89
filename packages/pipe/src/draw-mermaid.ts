import { toolId } from "@toolrail/core/plugin";
import { shorten } from "@toolrail/json";
import type { Pipe } from "./pipe.ts";
import type { CompiledPipe, CompiledStep, PipeResult, StepResult, StepResults } from "./types.ts";
import { innerResults, ranSteps } from "./variables/results.ts";

const STYLES = {
  done: "fill:#e6f4ea,stroke:#34a853",
  failed: "fill:#fce8e6,stroke:#d93025",
  skipped: "fill:#f1f3f4,stroke:#9aa0a6,stroke-dasharray:4",
};

interface Drawing {
  readonly lines: string[];
  /** The arrows, which are written last: inside a box, an arrow would draw both of its ends there. */
  readonly edges: string[];
  readonly states: (keyof typeof STYLES)[];
}

/** The position of steps in a drawing: the nodes before them, their results, and their depth. */
interface Spot {
  readonly from: readonly string[];
  readonly results: StepResults;
  readonly indent: string;
}

/** Draws a pipe as a Mermaid flowchart. With a result, it shows the run too: the steps that ran, their times and failures. */
export function drawMermaid(pipe: Pipe, run?: PipeResult): string {
  const drawing: Drawing = { lines: ["flowchart TD", "  begin([start])"], edges: [], states: [] };
  const { lines, edges, states } = drawing;
  const spot = { from: ["begin"], results: run?.steps ?? {}, indent: "  " };
  const ends = drawSteps(drawing, { ...spot, pipe });
  lines.push(`  finish([${quote(run?.ok === false ? ["failed", run.error] : ["return"])}])`);
  lines.push(...edges, ...ends.map((end) => `  ${end} --> finish`));
  for (const [name, style] of run ? Object.entries(STYLES) : []) {
    const nodes = states.flatMap((state, at) => (state === name ? `n${at}` : [])).join(",");
    if (nodes) lines.push(`  classDef ${name} ${style}`, `  class ${nodes} ${name}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Draws steps one after another, and returns the nodes that come before the next one. */
function drawSteps(
  drawing: Drawing,
  { pipe, ...spot }: Spot & { readonly pipe: CompiledPipe },
): readonly string[] {
  let { from } = spot;
  for (const step of pipe.steps) from = drawStep(drawing, { ...spot, from, step });
  return from;
}

function drawStep(
  drawing: Drawing,
  { step, from, results, indent }: Spot & { readonly step: CompiledStep },
): readonly string[] {
  const { lines, edges, states } = drawing;
  const node = `n${states.length}`;
  const result = ranSteps([step], results)[0]?.[1];
  states.push(result && !result.skipped ? (result.ok ? "done" : "failed") : "skipped");
  if (step.kind === "tool") {
    const label = quote([
      step.id,
      toolId(step.tool),
      ...describeCondition(step),
      ...describeOutcome(result),
    ]);
    lines.push(`${indent}${node}[${label}]`);
    edges.push(...from.map((before) => `  ${before} --> ${node}`));
    return [node];
  }
  // The label has one line, since a box has no room for more above its steps.
  const kind = step.kind === "for_each" ? `for each ${step.as}` : step.kind;
  const title = quote(
    [step.id, kind, ...describeCondition(step), ...describeOutcome(result)],
    ", ",
  );
  lines.push(`${indent}subgraph ${node} [${title}]`);
  const spot = { from, results: resultsIn(step, result), indent: `${indent}  ` };
  const drawInside = (inner: readonly CompiledStep[]) =>
    inner.flatMap((child) => drawStep(drawing, { ...spot, step: child }));
  const ends =
    step.kind === "pipe"
      ? drawSteps(drawing, { ...spot, pipe: step.pipe })
      : drawInside(step.kind === "parallel" ? step.children : [{ ...step.body, id: step.as }]);
  lines.push(`${indent}end`);
  return ends;
}

/** Returns the results of the steps in a box. For a list these are those of the first failed item, or of the first item. */
function resultsIn(step: CompiledStep, result: StepResult | undefined): StepResults {
  if (step.kind !== "for_each" || result?.kind !== "for_each") {
    return result ? innerResults(result) : {};
  }
  const shown = result.items.find(({ ok }) => !ok) ?? result.items[0];
  return shown ? { [step.as]: shown } : {};
}

function describeCondition({ when }: CompiledStep): string[] {
  return when === undefined ? [] : [`when ${when}`];
}

function describeOutcome(result: StepResult | undefined): string[] {
  if (!result) return [];
  if (result.skipped) return ["skipped"];
  const time = `${Math.round(result.duration_ms)} ms`;
  if (result.kind === "for_each") return [`items: ${result.items.length}`, time];
  if (result.kind !== "tool") return [time];
  const hops = result.hops.length > 1 ? [`${result.hops.length} hops`] : [];
  return [time, ...hops, ...(result.ok ? [] : [result.error])];
}

/** Quotes a label, so that its text cannot end it or be taken for markup. */
function quote(lines: readonly string[], separator = "<br/>"): string {
  const unsafe = /[^\p{L}\p{N} .,:;!?()'/_+-]/gu;
  const safe = lines.map((line) =>
    shorten(line).replace(unsafe, (char) => `#${char.codePointAt(0)};`),
  );
  return `"${safe.join(separator)}"`;
}
