import type { ToolRef } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";

interface Placed {
  readonly id: string;
  /** The place of the step in the run: `steps.pages.children.p1`. */
  readonly path: string;
  /** An expression: where it is false, the step is skipped. */
  readonly when: string | undefined;
}

/** A step that calls a tool. */
export interface CompiledToolStep extends Placed {
  readonly kind: "tool";
  readonly tool: ToolRef;
  /** With the keys of each `$ref`. */
  readonly args: JsonObject;
}

/** A step whose children run at the same time. */
export interface CompiledGroup extends Placed {
  readonly kind: "parallel";
  readonly children: readonly CompiledStep[];
}

/** A step that is a pipe of its own. */
export interface CompiledNested extends Placed {
  readonly kind: "pipe";
  readonly pipe: CompiledPipe;
}

/** A step that does the same with each item of a list. */
export interface CompiledEach extends Placed {
  readonly kind: "for_each";
  /** A list, or what reads one, with the keys of each `$ref`. */
  readonly list: unknown;
  readonly as: string;
  readonly maxItems: number;
  readonly body: CompiledToolStep | CompiledNested;
}

/** A step whose tool and references have been checked. */
export type CompiledStep = CompiledToolStep | CompiledGroup | CompiledNested | CompiledEach;

/** A step by its names, as errors tell of it. */
export interface StepNames {
  readonly id: string;
  readonly path: string;
  readonly kind: string;
}

/** A list of steps whose tools and references have been checked: what every engine runs. */
export interface CompiledPipe {
  /** Empty at the top, else the path of the step that holds it. */
  readonly path: string;
  /** The pipe's own `vars`; those of the pipe around it show through. */
  readonly vars: JsonObject;
  readonly steps: readonly CompiledStep[];
  readonly returns: unknown;
  readonly continueOnError: boolean;
}

/** Says who wrote a pipe: `"model"` keeps it from tools that are for the application alone. */
export type PipeAuthor = "application" | "model";
