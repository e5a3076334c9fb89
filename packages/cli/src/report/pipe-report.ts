import {
  type Hop,
  type Pipe,
  type PipeProblem,
  type PipeResult,
  type StepResult,
  toPipeReply,
  userView,
} from "@toolrail/core";
import { formatDuration } from "../terminal/duration.ts";
import { indent, oneLine, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import { hopNode } from "./hop-node.ts";
import { viewSection } from "./view-section.ts";

type Plan = Pipe["plan"];
type StepPlan = Plan["steps"][number];
type Results = Readonly<Record<string, StepResult>>;

/** A run for people: its steps as a tree, its result, and who gets to see what. */
export function renderPipe({ plan }: Pipe, result: PipeResult, style: Style): string {
  const { colours } = style;
  const reply = JSON.stringify(toPipeReply(result), null, 2);
  const forUser = hopsOf(result.steps).flatMap((hop) => userView(hop).verbatim);
  const state = result.ok ? colours.green("✔ ok") : colours.red("✖ failed");
  const error = result.ok ? "" : `\n${indent(plainText(result.error))}`;
  const total = Object.values(result.steps).reduce((sum, step) => sum + step.duration_ms, 0);
  return [
    renderTree(stepNodes(plan.steps, result.steps, style), colours.dim),
    `${state} ${colours.dim(formatDuration(total))}${error}`,
    viewSection("The model reads", [{ type: "text", text: reply }], style),
    viewSection("The user is shown", forUser, style),
  ].join("\n\n");
}

/** Everything that is wrong with a spec, each with its place. */
export function renderRefusedPipe(problems: readonly PipeProblem[], { colours }: Style): string {
  const nodes = problems.map(({ path, message }) => ({
    label: colours.bold(plainText(path)),
    details: [colours.red(plainText(message))],
  }));
  const head = `${colours.red("✖ refused")} ${colours.dim("nothing was called")}`;
  return renderTree([{ label: head, children: nodes }], colours.dim);
}

function stepNodes(plans: readonly StepPlan[], results: Results, style: Style): TreeNode[] {
  return plans.map((plan) => {
    const result = results[plan.id];
    return result ? stepNode(plan, result, style) : skippedNode(plan, style);
  });
}

function stepNode(plan: StepPlan, result: StepResult, style: Style): TreeNode {
  const { colours, width } = style;
  const mark = result.ok ? colours.green("✔") : colours.red("✖");
  const time = colours.dim(formatDuration(result.duration_ms));
  const label = `${mark} ${colours.bold(plainText(plan.id))} ${nameOf(plan, style)} ${time}`;
  const error = colours.red(plainText(result.error));
  switch (result.kind) {
    case "tool": {
      const value = result.structured ?? (result.text === "" ? undefined : result.text);
      const brought = value === undefined ? [] : [oneLine(JSON.stringify(value), width - 16)];
      return {
        label,
        details: result.ok ? brought.map(colours.dim) : [error],
        children: result.hops.slice(1).map((hop) => hopNode(hop, style)),
      };
    }
    case "parallel": {
      const children = plan.kind === "parallel" ? plan.children : [];
      return { label, children: stepNodes(children, result.children, style) };
    }
    case "pipe": {
      const steps = plan.kind === "pipe" ? plan.pipe.steps : [];
      return { label, children: stepNodes(steps, result.steps, style) };
    }
  }
}

function skippedNode(plan: StepPlan, style: Style): TreeNode {
  const { colours } = style;
  return { label: colours.dim(`– ${plainText(plan.id)} ${nameOf(plan, style)} not run`) };
}

function nameOf(plan: StepPlan, { colours }: Style): string {
  if (plan.kind !== "tool") return colours.dim(plan.kind);
  return colours.cyan(plainText(`${plan.tool.server}.${plan.tool.name}`));
}

function hopsOf(results: Results): Hop[] {
  return Object.values(results).flatMap((step) => {
    if (step.kind === "tool") return step.hops;
    return hopsOf(step.kind === "parallel" ? step.children : step.steps);
  });
}
