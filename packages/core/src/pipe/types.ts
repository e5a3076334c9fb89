import type { ToolFilter } from "../call/tool-patterns.ts";
import type { Host } from "../host/host.ts";
import type { JsonObject } from "../json/json.ts";
import type { ChainResult, Decision } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import type { HostReport } from "../types/events.ts";
import type { Tool, ToolRef } from "../types/tool.ts";
import type { PipeLimits } from "./limits.ts";
import type { PausedPipe } from "./run/paused-pipe.ts";
import type { PipeProblem } from "./spec/problems.ts";

interface Placed {
  readonly id: string;
  /** The path of the step in the run: `steps.pages.children.p1`. */
  readonly path: string;
}

/** A step that calls a tool, after all that can be checked before the first call. */
export interface CompiledToolStep extends Placed {
  readonly kind: "tool";
  readonly tool: ToolRef;
  /** The arguments. Each `$ref` is replaced by its keys. */
  readonly args: JsonObject;
}

/** A group of steps that run at the same time. */
export interface CompiledGroup extends Placed {
  readonly kind: "parallel";
  readonly children: readonly CompiledStep[];
}

/** A pipe as a step of another. */
export interface CompiledNested extends Placed {
  readonly kind: "pipe";
  readonly pipe: CompiledPipe;
}

/** A step with checked tools and references. */
export type CompiledStep = CompiledToolStep | CompiledGroup | CompiledNested;

export interface StepNames {
  readonly id: string;
  readonly path: string;
  readonly kind: string;
}

/** A list of steps with checked tools and references. Every engine runs it. */
export interface CompiledPipe {
  /** The path of the step that contains this pipe. Empty at the top. */
  readonly path: string;
  /** The pipe's own `vars`. The `vars` of the outer pipe are visible too. */
  readonly vars: JsonObject;
  readonly steps: readonly CompiledStep[];
  readonly returns: unknown;
  readonly continueOnError: boolean;
}

/** The author of a pipe. A pipe by `"model"` cannot call tools for the application alone. @inline */
export type PipeAuthor = "application" | "model";

interface StepOutcome {
  readonly id: string;
  readonly ok: boolean;
  /** Empty if `ok`. */
  readonly error: string;
  /** The start as an ISO 8601 text. */
  readonly started_at: string;
  readonly duration_ms: number;
}

export interface ToolStepResult extends StepOutcome {
  readonly kind: "tool";
  /** The `structuredContent` of the step's own tool, or null if there is none. */
  readonly structured: unknown;
  /** The texts of that tool's result that a model may read, one per line. */
  readonly text: string;
  /** The call and all calls that followed from it. */
  readonly hops: readonly Hop[];
}

export interface GroupResult extends StepOutcome {
  readonly kind: "parallel";
  readonly children: StepResults;
}

export interface NestedResult extends StepOutcome {
  readonly kind: "pipe";
  readonly result: unknown;
  /** The part of `result` that a model may read, if that differs from `result`: see `PipeResult`. */
  readonly result_for_model?: unknown;
  readonly steps: StepResults;
}

/** The result of a step. */
export type StepResult = ToolStepResult | GroupResult | NestedResult;

/** The results of steps by their ids. */
export type StepResults = { readonly [id: string]: StepResult };

/** The result of a pipe. Plain JSON. */
export interface PipeResult {
  readonly ok: boolean;
  /** All failures with their paths. Empty if `ok`. */
  readonly error: string;
  /** The value that `return` selects, or null if the pipe failed. */
  readonly result: unknown;
  /**
   * The part of `result` that a model may read, if that differs from `result`: content for the user alone is replaced by
   * placeholders. Results of tools that received such content are their own, and messages in `error` may contain its keys.
   */
  readonly result_for_model?: unknown;
  /** All steps that ran, also if the pipe failed. */
  readonly steps: StepResults;
  /** The run, if it waits for a person: see `resumePipe`. Only runs with `pauses` have it. */
  readonly paused?: PausedPipe;
  /** All problems of a refused spec, of which nothing was called. */
  readonly problems?: readonly PipeProblem[];
}

/** The progress of a step. Plain JSON from which the step's result follows, so that an engine stores nothing else. */
export type StepStage = StepBegun | StepWaiting | StepEnded;

/** A step whose arguments are known, right before its call. */
export interface StepBegun {
  readonly type: "begun";
  /** Milliseconds since the epoch. */
  readonly startMs: number;
}

/** A tool step that waits for a person's approval of its next call: see `chain.pending`. */
export interface StepWaiting {
  readonly type: "waiting";
  readonly startMs: number;
  readonly chain: ChainResult;
}

/** A finished step, with what later steps can read of it. */
export interface StepEnded {
  readonly type: "ended";
  readonly startMs: number;
  readonly elapsedMs: number;
  /** Empty if the step succeeded. */
  readonly error: string;
  /** The calls of a tool step, in order. */
  readonly hops?: readonly Hop[];
}

/** The progress of the steps of a run, by their paths. A run resumes with it and repeats no call. */
export type PipeJournal = Map<string, StepStage>;

/** The values that references of one list of steps read. Never changed, so that a step may pass them on. */
export interface Variables {
  readonly vars: JsonObject;
  /** The results of the steps so far. Paths read the fields that `showStep` returns. */
  readonly steps: StepResults;
  readonly last?: StepResult | undefined;
  /** The bytes of all results before the next step, including those of the outer pipes. */
  readonly keptBytes: number;
  /** The same values without content for the user alone, if there is any. Models read these. */
  readonly covered?: Variables | undefined;
  /** The placeholder of unknown or hidden values. Each of its parts is the placeholder too. */
  readonly opaque?: unknown;
}

/** The known values at a step before anything runs. Unknown values are `UNKNOWN`. */
export interface KnownVariables extends Variables {
  /** The ids of all steps of the list, including later ones. */
  readonly ids: ReadonlySet<string>;
  /** The reasons why addresses of kept results cannot be read. */
  readonly lost: { readonly [address: string]: string };
}

/** A part of a spec during its check: its place, the values that it may refer to, and the list of problems. */
export interface Site {
  readonly host: Host;
  readonly author: PipeAuthor;
  /** The tools that a step may call. Absent if they are not limited. */
  readonly offered?: ReadonlySet<Tool> | undefined;
  readonly maxArgumentBytes: number;
  readonly problems: PipeProblem[];
  /** The path in the spec: `steps[0].args`. */
  readonly at: string;
  /** The path in the run: `steps.a`. */
  readonly path: string;
  readonly variables: KnownVariables;
}

/** A step to run, with its variables. */
export interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly variables: Variables;
}

export interface Counting {
  readonly host: Host;
  readonly limits: PipeLimits;
  /** The steps and calls so far. */
  readonly spent: { steps: number; calls: number };
}

/** The decisions of persons about waiting steps, by the paths of the steps. */
export type PipeAnswers = { readonly [path: string]: Decision };

export interface PipeRunOptions extends Pick<CallOptions, "conversation" | "context"> {
  /** Cancels the calls in flight and starts no more. The result contains the steps so far. */
  readonly signal?: AbortSignal | undefined;
  /** The `runId` of all calls and events of the run. Default: a new id. */
  readonly pipeId?: string | undefined;
  /** The id of the tool call by which a model started the pipe, for the events. */
  readonly toolCallId?: string | undefined;
  /** The idempotency key of the run. Those of its calls are derived from it: see `host.call`. Default: `pipeId`. */
  readonly key?: string | undefined;
  /**
   * If true, the pipe waits if a step needs a person: its result has `paused`, and `resumePipe` continues it. Steps that do not
   * depend on the waiting one still run. Default false: the step fails.
   */
  readonly pauses?: boolean | undefined;
}

/** What all steps of one run share: its host, its limits and what it has counted. */
export interface PipeRun extends Omit<PipeRunOptions, "pauses">, Counting {
  /** If `"before-calls"`, a step waits only if it has made no call yet. */
  readonly pauses?: boolean | "before-calls" | undefined;
  readonly pipeId: string;
  readonly follow: boolean;
  readonly author: PipeAuthor;
  readonly tools?: ToolFilter | undefined;
  readonly inSlot: Slots;
  /** Receives the chain of each tool step before the step's end is reported. Its errors end the run. */
  readonly onChain?: (chain: ChainResult) => void;
  /** Receives the events of the run. Absent if there is no listener. */
  readonly report: ((event: HostReport) => void) | undefined;
  now(): number;
  /** Milliseconds since the epoch. */
  readonly endMs: number;
  /** The progress so far. Present with `pauses`, except in engines that store it elsewhere. */
  readonly journal?: PipeJournal;
  /** The decisions of persons since the run waited. */
  readonly answers?: PipeAnswers;
}

/** Makes a call as soon as fewer than `maxParallel` are running, in the order of the requests. */
export type Slots = <T>(call: () => Promise<T>) => Promise<T>;
