import type { ArgumentSource, Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import type { Evaluation } from "@toolrail/json/cel";
import type { CompiledEach, CompiledStep, PipeAuthor } from "./compile/compiled-pipe.ts";
import type { PipeLimits } from "./limits.ts";
import type { ItemStep } from "./run/item-steps.ts";
import type { StepResult, StepResults } from "./run/results.ts";
import type { PipeProblem } from "./spec/problems.ts";
import type { EachStep, PipeStep } from "./spec/spec.ts";

/** Where values came from that have names of their own: `vars.q`, or an item of a loop. */
export type Origins = { readonly [name: string]: readonly ArgumentSource[] };

/** The values that the steps of one list see, and their references read. Never changed: a step may hand all of it on. */
export interface PipeScope {
  readonly author?: PipeAuthor | undefined;
  /** Evaluates expressions and goes through lists. Absent if the pipe has none. */
  readonly flow?: PipeFlow | undefined;
  readonly vars: JsonObject;
  /** With all that came of them; paths read what `showStep` leaves. */
  readonly steps: StepResults;
  readonly last?: StepResult | undefined;
  /** The items of the loops around, by the names of these. */
  readonly items?: JsonObject | undefined;
  /** Where vars and the items of loops came from, by `vars.NAME` and by the names of the items. */
  readonly origins?: Origins | undefined;
  /** The bytes of all results before the next step, those around its pipe included. */
  readonly keptBytes: number;
  /** The same without what is for the user alone, where there is any: what a model may read, and its expressions. */
  readonly covered?: PipeScope | undefined;
  /** Stands for what cannot be read or may not be: every part of it is this value too. */
  readonly opaque?: unknown;
}

/** The known values of a pipe at one of its steps, before anything runs: `UNKNOWN` stands for the rest. */
export interface KnownScope extends PipeScope {
  /** Ids of all steps of the list, those still to come included. */
  readonly ids: ReadonlySet<string>;
}

/** Where a part of a spec stands, what it may refer to, and where is noted what is wrong with it. */
export interface Site {
  readonly host: Host;
  readonly author: PipeAuthor;
  readonly maxArgumentBytes: number;
  readonly flow: PipeFlow | undefined;
  readonly problems: PipeProblem[];
  /** The place in the spec: `steps[0].args`. */
  readonly at: string;
  /** The place in the run: `steps.a`. */
  readonly path: string;
  readonly scope: KnownScope;
}

/** A step that is run, and what it sees. */
export interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly scope: PipeScope;
  /** True of an item of a list, which was counted with the list. */
  readonly isItem?: boolean;
  /** The arguments of a tool step, if they have been made already. */
  readonly args?: JsonObject | undefined;
  /** Where these came from. */
  readonly sources?: readonly ArgumentSource[] | undefined;
}

/** A run as far as its steps are counted. */
export interface Counting {
  readonly host: Host;
  readonly limits: PipeLimits;
  /** Counts up while the run goes on. */
  readonly spent: { steps: number; calls: number };
}

/**
 * An extension of pipes by `when`, `for_each` and `$cel`, made by `flow()` of `@toolrail/pipe/flow`. Its members are for
 * engines, and may change in any release.
 */
export interface PipeFlow {
  /** The part of the description of `mcp_pipe` that tells a model of it. */
  readonly description: string;
  /** Notes what is wrong with an expression: its syntax, with the place, and what it reads. */
  checkExpression(source: unknown, site: Site): void;
  /** Checks a step that goes through a list, and what it does with each item. */
  compileEach(
    step: EachStep,
    parts: { readonly site: Site; compileStep(step: PipeStep, site: Site): CompiledStep },
  ): Omit<CompiledEach, "id" | "path" | "when">;
  /** Evaluates expressions that share one budget. */
  createEvaluator(scope: PipeScope): Evaluate;
  /** Decides whether a step is to run. A text says why that cannot be known. */
  decideWhen(scope: PipeScope, source: string): boolean | string;
  /** Counts and checks all items of a list before the first of their calls. A text says what is wrong. */
  expandItems(run: Counting, turn: Turn<CompiledEach>): readonly Turn<ItemStep>[] | string;
  /** Creates the scope for the step of each item. A text says why there is none. */
  itemScopes(
    step: CompiledEach,
    parts: { readonly scope: PipeScope; readonly limits: PipeLimits },
  ): readonly PipeScope[] | string;
}

/** Evaluates an expression of a checked spec, and tells of each path that it reads. */
export type Evaluate = (source: string, onPath?: (keys: readonly string[]) => void) => Evaluation;
