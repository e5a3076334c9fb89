import { type Hop, userView } from "@toolrail/core";
import { innerResults, itemSteps, toolId } from "@toolrail/core/adapter";
import {
  type CompiledStep,
  type Pipe,
  type PipeProblem,
  type PipeResult,
  type StepResult,
  type StepResults,
  toPipeReply,
} from "@toolrail/core/pipe";
import { formatDuration } from "../terminal/duration.ts";
import { indent, oneLine, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import { hopNode } from "./hop-node.ts";
import { renderViews } from "./view-section.ts";

type Run = Readonly<{ results: StepResults; style: Style }>;

/** A run for people: its steps as a tree, its result, and who gets to see what. */
export function renderPipe(
  { steps }: Pipe,
  { result, style }: { readonly result: PipeResult; readonly style: Style },
): string {
  const { colours } = style;
  const { ok, error, steps: results } = result;
  const reply = JSON.stringify(toPipeReply(result), null, 2);
  const user = hopsOf(results).flatMap((hop) => userView(hop).verbatim);
  const state = ok ? colours.green("✔ ok") : colours.red("✖ failed");
  const total = Object.values(results).reduce((sum, step) => sum + step.duration_ms, 0);
  return [
    renderTree(stepNodes(steps, { results, style }), colours.dim),
    `${state} ${colours.dim(formatDuration(total))}${ok ? "" : `\n${indent(plainText(error))}`}`,
    ...renderViews({ model: [{ type: "text", text: reply }], user }, style),
  ].join("\n\n");
}

/** Everything that is wrong with a spec, each with its place. */
export function renderRefusedPipe(problems: readonly PipeProblem[], { colours }: Style): string {
  const head = `${colours.red("✖ refused")} ${colours.dim("nothing was called")}`;
  const lines = problems.map(({ path, message }) => indent(plainText(`${path}: ${message}`)));
  return [head, ...lines].join("\n");
}

function stepNodes(steps: readonly CompiledStep[], { results, style }: Run): TreeNode[] {
  const { colours, width } = style;
  return steps.map((step) => {
    const { [step.id]: result } = results;
    const id = plainText(step.id);
    const isCall = step.kind === "tool";
    const name = isCall ? colours.cyan(plainText(toolId(step.tool))) : colours.dim(step.kind);
    if (!result) return { label: colours.dim(`– ${id} ${name} not run`) };
    if (result.skipped) return { label: colours.dim(`– ${id} ${name} skipped`) };
    const mark = result.ok ? colours.green("✔") : colours.red("✖");
    const time = colours.dim(formatDuration(result.duration_ms));
    const label = `${mark} ${colours.bold(id)} ${name} ${time}`;
    if (result.kind !== "tool") {
      return {
        label,
        children: stepNodes(innerSteps(step, result), { results: innerResults(result), style }),
      };
    }
    const { ok, structured, text, error, hops } = result;
    const brought = colours.dim(oneLine(JSON.stringify(structured ?? text), width - 16));
    return {
      label,
      details: [ok ? brought : colours.red(plainText(error))],
      children: hops.slice(1).map((hop) => hopNode(hop, style)),
    };
  });
}

function innerSteps(step: CompiledStep, result: StepResult): readonly CompiledStep[] {
  if (step.kind === "tool" || result.skipped) return [];
  if (step.kind === "for_each") {
    return itemSteps(step, Object.keys(innerResults(result)).length);
  }
  return step.kind === "parallel" ? step.children : step.pipe.steps;
}

function hopsOf(results: StepResults): Hop[] {
  return Object.values(results).flatMap((result) =>
    result.kind === "tool" ? result.hops : hopsOf(innerResults(result)),
  );
}
