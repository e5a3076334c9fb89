import type { Pipe, StepPlan, ToolPlan } from "./pipe-plan.ts";
import type { NestedResult, PipeResult, StepResult } from "./pipe-result.ts";

/** Lines of a picture, and the numbers of its nodes. */
interface Drawing {
  readonly lines: string[];
  /** Written last: a line inside a box would draw both of its ends there. */
  readonly edges: string[];
  readonly classes: Map<string, string[]>;
  count: number;
}

type Results = { readonly [id: string]: StepResult } | undefined;

/**
 * Draws a pipe as a Mermaid flowchart, without running it. With the result of a run it shows that run:
 * which steps ran, for how long, and what failed.
 */
export function drawMermaid({ plan }: Pipe, run?: PipeResult): string {
  const drawing: Drawing = { lines: ["flowchart TD"], edges: [], classes: new Map(), count: 0 };
  drawing.lines.push("  begin([start])");
  const ends = drawSteps(drawing, plan.steps, ["begin"], run?.steps, run !== undefined, "  ");
  const failed = run !== undefined && !run.ok;
  drawing.lines.push(`  finish([${quote(failed ? ["failed", run.error] : ["return"])}])`);
  link(drawing, ends, "finish");
  drawing.lines.push(...drawing.edges);
  for (const [name, nodes] of drawing.classes) {
    drawing.lines.push(`  classDef ${name} ${STYLES[name]}`, `  class ${nodes.join(",")} ${name}`);
  }
  return `${drawing.lines.join("\n")}\n`;
}

const STYLES: Readonly<Record<string, string>> = {
  done: "fill:#e6f4ea,stroke:#34a853",
  failed: "fill:#fce8e6,stroke:#d93025",
  skipped: "fill:#f1f3f4,stroke:#9aa0a6,stroke-dasharray:4",
};

/** Draws steps one after another and returns the nodes that the next one follows. */
function drawSteps(
  drawing: Drawing,
  steps: readonly StepPlan[],
  from: readonly string[],
  results: Results,
  isRun: boolean,
  indent: string,
): string[] {
  let ends = [...from];
  for (const step of steps) {
    ends = drawStep(drawing, step, ends, results?.[step.id], isRun, indent);
  }
  return ends;
}

function drawStep(
  drawing: Drawing,
  step: StepPlan,
  from: readonly string[],
  result: StepResult | undefined,
  isRun: boolean,
  indent: string,
): string[] {
  const node = `n${drawing.count++}`;
  if (isRun) classify(drawing, node, result);
  if (step.kind === "tool") {
    drawing.lines.push(`${indent}${node}[${quote([...toolLabel(step), ...outcomeOf(result)])}]`);
    link(drawing, from, node);
    return [node];
  }
  // On one line: a box has no room for more above what is in it.
  const title = quote([step.id, step.kind, ...outcomeOf(result)], ", ");
  drawing.lines.push(`${indent}subgraph ${node} [${title}]`);
  const inner = `${indent}  `;
  const results = result?.kind === "parallel" ? result.children : (result as NestedResult)?.steps;
  const ends =
    step.kind === "parallel"
      ? step.children.flatMap((child) =>
          drawStep(drawing, child, from, results?.[child.id], isRun, inner),
        )
      : drawSteps(drawing, step.pipe.steps, from, results, isRun, inner);
  drawing.lines.push(`${indent}end`);
  return ends;
}

function link({ edges }: Drawing, from: readonly string[], node: string): void {
  for (const before of from) edges.push(`  ${before} --> ${node}`);
}

function toolLabel({ id, tool }: ToolPlan): string[] {
  return [id, `${tool.server}.${tool.name}`];
}

function outcomeOf(result: StepResult | undefined): string[] {
  if (!result) return [];
  const { ok, duration_ms: durationMs, error } = result;
  const hops =
    result.kind === "tool" && result.hops.length > 1 ? [`${result.hops.length} hops`] : [];
  return [
    `${Math.round(durationMs)} ms`,
    ...hops,
    ...(ok || result.kind !== "tool" ? [] : [error]),
  ];
}

function classify({ classes }: Drawing, node: string, result: StepResult | undefined): void {
  const name = result ? (result.ok ? "done" : "failed") : "skipped";
  classes.set(name, [...(classes.get(name) ?? []), node]);
}

/** A label: lines of any text, none of which can end it or be taken for markup. */
function quote(lines: readonly string[], separator = "<br/>"): string {
  const safe = lines.map((line) =>
    (line.length > 80 ? `${line.slice(0, 80)}…` : line).replace(
      /[^\p{L}\p{N} .,:;!?()'/_+-]/gu,
      (char) => `#${char.codePointAt(0)};`,
    ),
  );
  return `"${safe.join(separator)}"`;
}
