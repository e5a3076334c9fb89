import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Host, type PendingCall, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import {
  addStep,
  beginStep,
  concludePipe,
  createPipeRun,
  endStep,
  enterNested,
  joinResults,
  type Pipe,
  type PipeResult,
  type PipeRun,
  resumeToolStep,
  runToolStep,
  type StepBegun,
  type StepResult,
  topVariables,
  toStepResult,
  type Variables,
} from "@toolrail/core/pipe";
import { decidePending } from "../tools/ask-person.ts";
import { readStated } from "../tools/call-config.ts";
import {
  allSteps,
  findRecursionLimit,
  type PipeState,
  type PlacedGroup,
  type PlacedNested,
  type PlacedPipe,
  type PlacedStep,
  type PlacedTool,
  readStep,
  type StoredRun,
} from "./pipe-state.ts";

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
  readonly runs: WeakMap<object, Map<string, PipeRun>>;
}

/** What the graph of a nested pipe gets through its config. */
interface Handed {
  readonly pipe: PlacedPipe;
  /** The variables of the first step. */
  readonly variables: Variables;
  /** The run that all nodes of an invocation share, those of nested pipes included. */
  readonly run: PipeRun;
}

const HANDED = "__toolrail_pipe";

/** A pipe with its state, from which the results of its steps follow. */
interface NodeContext extends Handed {
  readonly state: PipeState;
  readonly config: LangGraphRunnableConfig;
}

/** The work of a node. It returns the update of the state. */
export type Work = (context: NodeContext) => Promise<PipeState>;

/** Creates a node of a pipe's graph. */
export function toNode(engine: PipeEngine, pipe: PlacedPipe, work: Work) {
  return async (state: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { signal, writer } = config;
    signal?.throwIfAborted();
    const handed = config.configurable?.[HANDED] as Handed | undefined;
    const around = handed?.pipe === pipe ? handed : atTop(engine, state, config);
    const { report } = engineOf(engine.host);
    const run: PipeRun = {
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
): PipeRun {
  const runs = engine.runs.get(control) ?? new Map<string, PipeRun>();
  engine.runs.set(control, runs);
  const known = pipeId === undefined ? undefined : runs.get(pipeId);
  if (known) return known;
  const run = createPipeRun(engine.host, { ...engine.options, pipeId });
  runs.set(run.pipeId, run);
  return run;
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

/** The compiled graph of a nested pipe. Its output has all of its channels. */
export interface NestedGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<PipeState>;
}

/** Runs a tool step. If its call needs a person, the node waits for them before the call. */
export function runTool(step: PlacedTool): Work {
  return async (context) => {
    const { run, config } = context;
    const variables = variablesAt(context, step);
    let stage = await runToolStep(run, { step, variables });
    while (stage.type === "waiting") {
      const { startMs } = stage;
      const { pending, error: _, ...rest } = stage.chain;
      const asked = { ...rest, pending: pending as PendingCall };
      const { asked: chain, decision } = await decidePending(run.host, {
        pending: asked.pending,
        asked,
        config,
      });
      stage = await resumeToolStep(run, { step, variables, startMs, chain, decision });
    }
    config.signal?.throwIfAborted();
    return { [step.channel]: stage };
  };
}

/** Runs the graph of a nested pipe. The step's result follows from the graph's channels, even if it had ended before. */
export function runNested(step: PlacedNested, graph: NestedGraph): Work {
  return async (context) => {
    const { run, config } = context;
    const { pipe } = step;
    const entry = enterNested(step, { variables: variablesAt(context, step), limits: run.limits });
    if ("error" in entry) {
      const { startMs } = beginStep(run, step);
      return { [step.channel]: endStep(run, { step, startMs, error: entry.error }) };
    }
    const handed: Handed = { run, ...entry, pipe };
    const own = asOwnRun(config, findRecursionLimit(pipe));
    const configurable = { ...own.configurable, [HANDED]: handed };
    const inner = await graph.invoke({}, { ...own, configurable });
    const { startMs } = inner.run as StepBegun;
    const { error } = readOutcome({ ...handed, state: inner });
    return { [step.channel]: { ...endStep(run, { step, startMs, error }), inner } };
  };
}

/** Begins a nested pipe inside its graph, which remembers it if the pipe waits. */
export function beginNested(step: PlacedNested): Work {
  return async ({ state, run }) => (state.run ? {} : { run: beginStep(run, step) as StepBegun });
}

/** Begins a group and the groups in it. */
export function beginGroup(step: PlacedGroup): Work {
  return async (context) => {
    variablesAt(context, step);
    const groups = groupsIn(step);
    return Object.fromEntries(groups.map((one) => [one.channel, beginStep(context.run, one)]));
  };
}

/** Ends a group whose parts have all ended, after the groups in it. */
export function endGroup(step: PlacedGroup): Work {
  return async (context) => {
    const { run } = context;
    const variables = variablesAt(context, step);
    let state = context.state;
    for (const group of groupsIn(step).reverse()) {
      const { startMs } = readStep(state, group) as StepBegun;
      const { error } = joinParts(group, { ...context, state, variables });
      state = { ...state, [group.channel]: endStep(run, { step: group, startMs, error }) };
    }
    return Object.fromEntries(groupsIn(step).map(({ channel }) => [channel, state[channel]]));
  };
}

/** Lists a group and all groups in it, each before those that it holds. */
function groupsIn(group: PlacedGroup): PlacedGroup[] {
  return allSteps([group]).filter((step) => step.kind === "parallel");
}

type Reading = Handed & Pick<NodeContext, "state">;

/** Reads the result of a pipe from its state. */
export function readOutcome(reading: Reading): PipeResult {
  return concludePipe(reading.pipe, { ...readSteps(reading), limits: reading.run.limits });
}

/** Returns the variables of a step or part. Throws `denied` if it is not its turn: clients of a server can start any node. */
function variablesAt(reading: Reading, step: PlacedStep): Variables {
  const { variables, next } = readSteps(reading);
  const { state } = reading;
  const isPart =
    next?.kind === "parallel" &&
    readStep(state, next)?.type === "begun" &&
    allSteps(next.children).includes(step);
  if (next === step || (isPart && readStep(state, step)?.type !== "ended")) return variables;
  const message = `${step.path} cannot run now: a step before it has not ended, or has failed.`;
  throw new ToolrailError("denied", message);
}

/** Reads the results of the steps up to the `next` one to run, and its variables. */
function readSteps(reading: Reading) {
  const { pipe } = reading;
  const steps: Record<string, StepResult> = {};
  let { variables } = reading;
  for (const step of pipe.steps) {
    const result = readResult(step, { ...reading, variables });
    if (!result) return { variables, steps, next: step };
    steps[step.id] = result;
    variables = addStep(variables, result);
    if (!result.ok && !pipe.continueOnError) break;
  }
  return { variables, steps, next: undefined };
}

/** Joins the results of the parts that have ended. */
function joinParts({ children }: PlacedGroup, reading: Reading) {
  const { variables, run } = reading;
  const results = children.flatMap((part) => readResult(part, reading) ?? []);
  return joinResults(children, { results, variables, limits: run.limits });
}

/** Reads the result of a step from its stored entry. Returns `undefined` if it has not ended. */
function readResult(step: PlacedStep, reading: Reading): StepResult | undefined {
  const stored = readStep(reading.state, step);
  if (stored?.type !== "ended") return undefined;
  const { inner, ...end } = stored;
  if (step.kind === "tool") return toStepResult(step, end);
  if (step.kind === "parallel") {
    return toStepResult(step, { ...end, inner: joinParts(step, reading) });
  }
  const { variables, run } = reading;
  const entry = enterNested(step, { variables, limits: run.limits });
  if (!inner || "error" in entry) return toStepResult(step, end);
  const inside = { ...reading, ...entry, pipe: step.pipe, state: inner };
  return toStepResult(step, { ...end, inner: readOutcome(inside) });
}
