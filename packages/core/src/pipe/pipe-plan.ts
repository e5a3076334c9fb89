import type { ToolRef } from "../host/tool.ts";
import type { Template } from "./template.ts";

interface PlannedStep {
  readonly id: string;
  /** The place of the step in the run: `steps.pages.children.p1`. */
  readonly path: string;
}

export interface ToolPlan extends PlannedStep {
  readonly kind: "tool";
  readonly tool: ToolRef;
  readonly args: Template;
}

export interface GroupPlan extends PlannedStep {
  readonly kind: "parallel";
  readonly children: readonly StepPlan[];
}

export interface NestedPlan extends PlannedStep {
  readonly kind: "pipe";
  readonly pipe: PipePlan;
}

export type StepPlan = ToolPlan | GroupPlan | NestedPlan;

/** A pipe whose names and references have been checked: what every engine runs. */
export interface PipePlan {
  /** Empty at the top, else the path of the step that holds it. */
  readonly path: string;
  /** The pipe's own `vars`; those of the pipe around it show through. */
  readonly vars: Template;
  readonly steps: readonly StepPlan[];
  readonly returns?: Template;
  readonly continueOnError: boolean;
}

/** Says who wrote a pipe: `"model"` keeps it from tools that are for the application alone. */
export type PipeAuthor = "application" | "model";

const MARKER: unique symbol = Symbol.for("toolrail.pipe");

/** A parsed pipe, ready to run as often as wanted. Made by `parsePipe`. */
export interface Pipe {
  readonly [MARKER]: true;
  readonly plan: PipePlan;
  readonly author: PipeAuthor;
  /** Steps in all: groups, children and nested steps count. */
  readonly stepCount: number;
}

export function toPipe(plan: PipePlan, author: PipeAuthor, stepCount: number): Pipe {
  return { [MARKER]: true, plan, author, stepCount };
}

/** True for what `parsePipe` made, also when it comes from another copy of the package. */
export function isPipe(value: unknown): value is Pipe {
  return typeof value === "object" && value !== null && MARKER in value;
}
