import { type Hop, userView } from "@toolrail/core";
import { toolId } from "@toolrail/core/plugin";
import { type Pipe, type PipeResult, type StepResults, toPipeReply } from "@toolrail/pipe";
import { type CompiledStep, innerResults } from "@toolrail/pipe/engine";
import { indent, oneLine, plainText } from "../terminal/plain-text.ts";
import { formatDuration, type Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import { hopNode, renderViews } from "./hop-text.ts";

type Run = Readonly<{ results: StepResults; style: Style }>;

/** Renders a run for people: its steps as a tree, its result, and who may read it. */
export function renderPipe(
  { steps }: Pipe,
  { result, style }: { readonly result: PipeResult; readonly style: Style },
): string {
  const { colours } = style;
  const { ok, error, steps: results } = result;
  const reply = JSON.stringify(toPipeReply(result), null, 2);
  const user = listHops(results).flatMap((hop) => userView(hop).verbatim);
  const state = ok ? colours.green("✔ ok") : colours.red("✖ failed");
  const total = Object.values(results).reduce((sum, step) => sum + step.duration_ms, 0);
  return [
    renderTree(stepNodes(steps, { results, style }), colours.dim),
    `${state} ${colours.dim(formatDuration(total))}${ok ? "" : `\n${indent(plainText(error))}`}`,
    ...renderViews({ model: [{ type: "text", text: reply }], user }, style),
  ].join("\n\n");
}

function stepNodes(steps: readonly CompiledStep[], { results, style }: Run): TreeNode[] {
  const { colours, width } = style;
  return steps.map((step) => {
    const { [step.id]: result } = results;
    const id = plainText(step.id);
    const isCall = step.kind === "tool";
    const name = isCall ? colours.cyan(plainText(toolId(step.tool))) : colours.dim(step.kind);
    if (!result) return { label: colours.dim(`– ${id} ${name} not run`) };
    const mark = result.ok ? colours.green("✔") : colours.red("✖");
    const time = colours.dim(formatDuration(result.duration_ms));
    const label = `${mark} ${colours.bold(id)} ${name} ${time}`;
    if (result.kind === "tool") {
      const { ok, structured, text, error, hops } = result;
      const output = colours.dim(oneLine(JSON.stringify(structured ?? text), width - 16));
      const details = [ok ? output : colours.red(plainText(error))];
      return { label, details, children: hops.slice(1).map((hop) => hopNode(hop, style)) };
    }
    const children = stepNodes(innerSteps(step), { results: innerResults(result), style });
    return { label, children };
  });
}

function innerSteps(step: CompiledStep): readonly CompiledStep[] {
  if (step.kind === "tool") return [];
  return step.kind === "parallel" ? step.children : step.pipe.steps;
}

function listHops(results: StepResults): Hop[] {
  return Object.values(results).flatMap((result) =>
    result.kind === "tool" ? result.hops : listHops(innerResults(result)),
  );
}
