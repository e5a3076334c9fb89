import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Host, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import {
  createPipeRun,
  type Pipe,
  type PipeResult,
  type PipeRun,
  topVariables,
  type Variables,
} from "@toolrail/core/pipe";
import { readStated } from "../tools/call-config.ts";
import { type PipeState, readStep, type StoredRun } from "./pipe-state.ts";
import { allSteps, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

/** A compiled pipe, as all nodes of its graphs share it. */
export interface PipeEngine {
  readonly host: Host;
  readonly pipe: Omit<Pipe, "steps"> & PlacedPipe;
  /** A hash of the spec, the same in every process. */
  readonly version: string;
  /** The options of each run. */
  readonly options: Parameters<typeof createPipeRun>[1];
  readonly onResult: ((result: PipeResult) => void | PromiseLike<void>) | undefined;
  /** The runs by id, for each control. LangGraph creates a new control for each invocation. */
  readonly runs: WeakMap<object, Map<string, GraphRun>>;
}

/** A run that all nodes share in this process, including nodes of nested pipes. */
export interface GraphRun extends PipeRun {
  /** The paths of pipes, nested ones included, whose earlier calls are counted. */
  readonly counted: Set<string>;
}

/** A pipe with its state, from which the results of its steps follow. */
export interface Reading {
  readonly pipe: PlacedPipe;
  readonly state: PipeState;
  readonly variables: Variables;
  readonly run: GraphRun;
}

export interface NodeContext extends Reading {
  readonly config: LangGraphRunnableConfig;
  /** The reason why the vars of the nested pipe cannot be read. */
  readonly error?: string | undefined;
}

/** The work of a node. It returns the update of the state. */
export type Work = (context: NodeContext) => Promise<PipeState>;

/** The values that the graph of a nested pipe gets through its config. */
export type Handed = Omit<NodeContext, "state" | "config">;

export const HANDED = "__toolrail_pipe";

/** Creates a node of a pipe's graph. */
export function toNode(engine: PipeEngine, pipe: PlacedPipe, work: Work) {
  return async (state: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const handed = config.configurable?.[HANDED] as Handed | undefined;
    const around = handed?.pipe === pipe ? handed : atTop(engine, state, config);
    countEarlier(around.run, { pipe, state });
    const { signal, writer } = config;
    const { report } = engineOf(engine.host);
    const run: GraphRun = {
      ...around.run,
      ...readStated(config),
      signal,
      report(event) {
        report(event);
        if (event.type === "step") writer?.({ ...event, type: "toolrail-step" });
      },
    };
    return work({ ...around, pipe, state, config, run });
  };
}

function atTop(engine: PipeEngine, { run }: PipeState, config: LangGraphRunnableConfig) {
  const stored = run as StoredRun | null | undefined;
  if (stored && stored.spec !== engine.version) {
    const message =
      "The pipe was not continued: this thread began with another version of its spec. Continue with that version, " +
      "which another graph can serve, or start a new run.";
    throw new ToolrailError("denied", message);
  }
  return {
    run: shareRun(engine, config, stored?.pipeId),
    variables: topVariables(engine.pipe, stored?.given),
  };
}

/** Returns the run that its nodes share. After a restart, it continues the run with this id. */
export function shareRun(
  engine: PipeEngine,
  { control = engine }: { readonly control?: object },
  pipeId: string | undefined,
): GraphRun {
  const runs = engine.runs.get(control) ?? new Map<string, GraphRun>();
  engine.runs.set(control, runs);
  const known = pipeId === undefined ? undefined : runs.get(pipeId);
  if (known) return known;
  const run = {
    ...createPipeRun(engine.host, { ...engine.options, pipeId }),
    counted: new Set<string>(),
  };
  runs.set(run.pipeId, run);
  return run;
}

/** Counts once the calls that an earlier invocation, or another process, made of a pipe. */
export function countEarlier(
  { counted, spent }: GraphRun,
  { pipe, state }: { readonly pipe: PlacedPipe; readonly state: PipeState },
): void {
  if (counted.has(pipe.path)) return;
  counted.add(pipe.path);
  countStored(spent, allSteps(pipe.steps), state);
}

function countStored(spent: PipeRun["spent"], steps: PlacedStep[], state: PipeState): void {
  for (const step of steps) {
    const stored = readStep(state, step);
    if (!stored) continue;
    const { hops = [], inner } = stored.type === "ended" ? stored : {};
    spent.calls += hops.length;
    if (step.kind === "pipe" && inner) countStored(spent, allSteps(step.pipe.steps), inner);
  }
}

/**
 * Adapts a config for a pipe that may run inside a bigger graph. It removes a `checkpoint_id` without a value, since
 * LangGraph would run finished steps again when it resumes such a config.
 */
export function asOwnRun<Config extends LangGraphRunnableConfig>(
  config: Config,
  recursionLimit: number,
): Config {
  const { checkpoint_id: id, ...rest } = config.configurable ?? {};
  return {
    ...config,
    recursionLimit: Math.max(config.recursionLimit ?? 0, recursionLimit),
    configurable: { ...rest, ...(id !== undefined && { checkpoint_id: id }) },
  };
}
