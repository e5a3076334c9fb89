import type {
  CallOptions,
  ChainResult,
  Decision,
  Hop,
  Host,
  PendingCall,
  Tool,
  ToolRef,
} from "@toolrail/core";
import type { ArgumentSource, HostReport } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import type { Evaluation } from "@toolrail/json/cel";
import type { PipeLimits } from "./limits.ts";
import type { PipeProblem } from "./spec/problems.ts";
import type { EachStep, PipeStep } from "./spec/spec.ts";

interface Placed {
  readonly id: string;
  /** The place of the step in the run: `steps.pages.children.p1`. */
  readonly path: string;
  /** An expression: if it is false, the step is skipped. */
  readonly when: string | undefined;
}

/** A step that calls a tool. */
export interface CompiledToolStep extends Placed {
  readonly kind: "tool";
  readonly tool: ToolRef;
  /** The arguments, with the keys of each `$ref`. */
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

/** Says who wrote a pipe: `"model"` keeps it from tools that are for the application alone. @inline */
export type PipeAuthor = "application" | "model";

/** A step that can do one item of a list. */
export type ItemStep = CompiledToolStep | CompiledNested;

interface StepOutcome {
  readonly id: string;
  readonly ok: boolean;
  /** Empty if `ok`. */
  readonly error: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** True if the `when` of the step was false, so that it made no call. Only steps with `when` have it. */
  readonly skipped?: boolean;
}

/** The result of a step that called a tool. */
export interface ToolStepResult extends StepOutcome {
  readonly kind: "tool";
  /** `structuredContent` of the step's own tool; null if there is none. */
  readonly structured: unknown;
  /** The texts of that tool that a model may read, one to a line. */
  readonly text: string;
  /** The call and every call that followed from it, whole. */
  readonly hops: readonly Hop[];
}

/** The result of a step whose children ran at the same time. */
export interface GroupResult extends StepOutcome {
  readonly kind: "parallel";
  readonly children: StepResults;
}

/** The result of a step that is a pipe of its own. */
export interface NestedResult extends StepOutcome {
  readonly kind: "pipe";
  readonly result: unknown;
  /** The part of `result` that a model may read, if that is not all of it: see `PipeResult`. */
  readonly result_for_model?: unknown;
  readonly steps: StepResults;
}

/** The result of a step that did the same with each item of a list. */
export interface EachResult extends StepOutcome {
  readonly kind: "for_each";
  /** The result of each item, in the order of the list; the ids are `0`, `1` and so on. */
  readonly items: readonly StepResult[];
}

/** The result of a step. */
export type StepResult = ToolStepResult | GroupResult | NestedResult | EachResult;

/** The results of steps by their ids. */
export type StepResults = { readonly [id: string]: StepResult };

/** A pipe that waits for a person, and the calls it waits for. */
export interface PausedPipe {
  readonly id: string;
  /** The calls that wait, with the paths of their steps. */
  readonly asks: readonly { readonly path: string; readonly pending: PendingCall }[];
}

/** The output of a pipe, as its contract has it. Plain JSON. */
export interface PipeResult {
  readonly ok: boolean;
  /** Empty if `ok`, else every failure with its path. */
  readonly error: string;
  /** The value that `return` selects; null if the pipe failed. */
  readonly result: unknown;
  /**
   * The part of `result` that a model may read, if that is not all of it: parts that come from steps whose
   * content was for the user alone are a placeholder. Results of tools that were handed such a part are
   * their own, and messages in `error` may name its keys.
   */
  readonly result_for_model?: unknown;
  /** Every step that ran, also if the pipe failed. */
  readonly steps: StepResults;
  /** Present if it waits for a person: see `resumePipe`. Only a run with `pauses` does. */
  readonly paused?: PausedPipe;
  /** All problems of a spec that was refused. Nothing was called then. */
  readonly problems?: readonly PipeProblem[];
}

/** The progress of a step. Plain JSON, from which its result follows: an engine keeps this and nothing else. */
export type StepStage = StepBegun | StepWaiting | StepEnded;

/** A step that has begun. */
export interface StepBegun {
  readonly type: "begun";
  /** Milliseconds since the epoch. */
  readonly startMs: number;
}

/** A tool step whose next call needs a person's approval: see `chain.pending`. */
export interface StepWaiting {
  readonly type: "waiting";
  readonly startMs: number;
  readonly chain: ChainResult;
}

/** A step that has ended, well or not. */
export interface StepEnded {
  readonly type: "ended";
  readonly startMs: number;
  readonly elapsedMs: number;
  /** Empty if all is well. */
  readonly error: string;
  /** The calls of a tool step, in order. */
  readonly hops?: readonly Hop[];
  /** True if its `when` was false. */
  readonly skipped?: boolean;
}

/** The progress of the steps of a run, by their paths. A run that waits is begun again with it, and repeats no call. */
export type PipeJournal = Map<string, StepStage>;

/** The sources of values that have names of their own: `vars.q`, or an item of a loop. */
export type Origins = { readonly [name: string]: readonly ArgumentSource[] };

/** The values that the steps of one list see, and their references read. Never changed: a step may hand all of it on. */
export interface Variables {
  readonly author?: PipeAuthor | undefined;
  /** Evaluates expressions and goes through lists. Absent if the pipe has none. */
  readonly flow?: PipeFlow | undefined;
  readonly vars: JsonObject;
  /** The whole results of the steps so far; paths read what `showStep` leaves. */
  readonly steps: StepResults;
  readonly last?: StepResult | undefined;
  /** The items of the loops around, by the names of these. */
  readonly items?: JsonObject | undefined;
  /** The sources of vars and of the items of loops, by `vars.NAME` and by the names of the items. */
  readonly origins?: Origins | undefined;
  /** The bytes of all results before the next step, those around its pipe included. */
  readonly keptBytes: number;
  /** The same without content for the user alone, if there is any: models and their expressions read this. */
  readonly covered?: Variables | undefined;
  /** Stands for what cannot be read or may not be: every part of it is this value too. */
  readonly opaque?: unknown;
}

/** The known values of a pipe at one of its steps, before anything runs: `UNKNOWN` stands for the rest. */
export interface KnownVariables extends Variables {
  /** Ids of all steps of the list, those still to come included. */
  readonly ids: ReadonlySet<string>;
}

/** The place of a part of a spec, the values that it may refer to, and the list in which its problems are noted. */
export interface Site {
  readonly host: Host;
  readonly author: PipeAuthor;
  /** The tools that a step may call. Absent if they are not limited. */
  readonly offered?: ReadonlySet<Tool> | undefined;
  readonly maxArgumentBytes: number;
  readonly flow: PipeFlow | undefined;
  readonly problems: PipeProblem[];
  /** The place in the spec: `steps[0].args`. */
  readonly at: string;
  /** The place in the run: `steps.a`. */
  readonly path: string;
  readonly variables: KnownVariables;
}

/** A step that is run, and its variables. */
export interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly variables: Variables;
  /** True of an item of a list, which was counted with the list. */
  readonly isItem?: boolean;
  /** The arguments of a tool step, if they have been made already. */
  readonly args?: JsonObject | undefined;
  /** The sources of these arguments. */
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
  createEvaluator(variables: Variables): Evaluate;
  /** Decides whether a step is to run. A text says why that cannot be known. */
  decideWhen(variables: Variables, source: string): boolean | string;
  /** Counts and checks all items of a list before the first of their calls. A text says what is wrong. */
  expandItems(run: Counting, turn: Turn<CompiledEach>): readonly Turn<ItemStep>[] | string;
  /** Creates the variables for the step of each item. A text says why there is none. */
  itemVariables(
    step: CompiledEach,
    parts: { readonly variables: Variables; readonly limits: PipeLimits },
  ): readonly Variables[] | string;
}

/** Evaluates an expression of a checked spec, and tells of each path that it reads. */
export type Evaluate = (source: string, onPath?: (keys: readonly string[]) => void) => Evaluation;

/** A reference that was read: its place, its keys, and whether a text or an expression took it in. */
export interface ReadReference {
  readonly at: string;
  readonly keys: readonly string[];
  readonly inText: boolean;
}

/** The decisions of persons about steps that wait, by their paths. */
export type PipeAnswers = { readonly [path: string]: Decision };

export interface PipeRunOptions extends Pick<CallOptions, "conversation" | "context" | "userText"> {
  /** Cancels the calls in flight and lets no other begin; the results so far come back. */
  readonly signal?: AbortSignal | undefined;
  /** The `runId` of every call and event of the run. Default: the host makes one. */
  readonly pipeId?: string | undefined;
  /** The id of the tool call by which a model called for the pipe, for the events. */
  readonly toolCallId?: string | undefined;
  /** The key of the run, from which those of its calls follow: see `host.call`. Default: its `pipeId`, if given. */
  readonly key?: string | undefined;
  /**
   * True lets the pipe wait if a step needs a person: its result has `paused`, and `resumePipe` goes on. Other steps
   * run on as far as they can without it. Default false: such a step fails.
   */
  readonly pauses?: boolean | undefined;
}

/** The state that all steps of one run share. */
export interface PipeRun extends PipeRunOptions, Counting {
  readonly pipeId: string;
  readonly follow: boolean;
  readonly author: PipeAuthor;
  readonly inSlot: Slots;
  /** Receives the chain of each tool step before its end is reported. Its errors end the run. */
  readonly onChain?: (chain: ChainResult) => void;
  /** Receives the events of the run. Absent if nobody listens. */
  readonly report: ((event: HostReport) => void) | undefined;
  now(): number;
  /** Milliseconds since the epoch. */
  readonly endMs: number;
  /** The progress so far. Present with `pauses`, except in engines that keep it elsewhere. */
  readonly journal?: PipeJournal;
  /** The decisions of persons since it waited. */
  readonly answers?: PipeAnswers;
}

/** Makes a call in the next place that becomes free, first come, first served. */
export type Slots = <T>(call: () => Promise<T>) => Promise<T>;
