import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Host, type PendingCall, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import {
  advancePipe,
  type CompiledPipe,
  createPipeRun,
  type Pipe,
  type PipeResult,
  type PipeRun,
} from "@toolrail/core/pipe";
import { decidePending } from "../tools/ask-person.ts";
import { readStated } from "../tools/call-config.ts";
import { findRecursionLimit, type PipeState, type Place, readJournal } from "./pipe-state.ts";

/** A compiled pipe, as all nodes of its graphs share it. */
export interface PipeEngine {
  readonly host: Host;
  readonly pipe: Pipe;
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
  readonly pipe: CompiledPipe;
  /** The run that all nodes of an invocation share, with the steps before the nested pipe in its journal. */
  readonly run: PipeRun;
  readonly vars: JsonObject;
}

const HANDED = "__toolrail_pipe";

/** A run in one of its nodes, with the progress of its steps. */
interface OpenedRun extends Pick<Handed, "vars"> {
  readonly run: PipeRun & Required<Pick<PipeRun, "journal">>;
}

/** Continues the run of a pipe, or of the pipe around it, in one of its nodes. */
export function openRun(
  engine: PipeEngine,
  pipe: CompiledPipe,
  { state, config }: { readonly state: PipeState; readonly config: LangGraphRunnableConfig },
): OpenedRun {
  const { signal, writer } = config;
  signal?.throwIfAborted();
  const handed = config.configurable?.[HANDED] as Handed | undefined;
  const around = handed?.pipe === pipe ? handed : atTop(engine, state, config);
  const journal = new Map([...(around.run.journal ?? []), ...readJournal(state)]);
  const tell: PipeRun["report"] = (event) => {
    engineOf(engine.host).report(event);
    if (event.type === "step") writer?.({ ...event, type: "toolrail-step" });
  };
  const own = { ...readStated(config), signal, journal, spent: { calls: 0 }, report: tell };
  return { run: { ...around.run, ...own }, vars: around.vars };
}

function atTop(engine: PipeEngine, { run }: PipeState, config: LangGraphRunnableConfig) {
  if (!run) throw notItsTurn();
  if (run.spec === engine.version)
    return { run: shareRun(engine, config, run.pipeId), vars: run.given };
  const message =
    "The pipe was not continued: this thread began with another version of its spec. Continue with that version, " +
    "which another graph can serve, or start a new run.";
  throw new ToolrailError("denied", message);
}

/** Returns the run that its nodes share. After a restart, it continues the run with this id. */
export function shareRun(
  engine: PipeEngine,
  { control = engine }: { readonly control?: object },
  pipeId: string,
): PipeRun {
  const runs = engine.runs.get(control) ?? new Map<string, PipeRun>();
  engine.runs.set(control, runs);
  const run = runs.get(pipeId) ?? createPipeRun(engine.host, { ...engine.options, pipeId });
  runs.set(pipeId, run);
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

/** What a node of a pipe's graph does: its steps begin or end, after the nested graph, if there is one, has ended. */
interface NodeWork extends Pick<Place, "channel" | "turns"> {
  readonly pipe: CompiledPipe;
  readonly nested?: { readonly pipe: CompiledPipe; readonly graph: NestedGraph } | undefined;
}

/**
 * Creates a node of a pipe's graph. The core runs the pipe as far as the node may take it, and the node stores what has changed
 * in the journal. A call that needs a person waits in its node before it is made.
 */
export function toNode(engine: PipeEngine, { pipe, channel, turns, nested }: NodeWork) {
  return async (state: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { run, vars } = openRun(engine, pipe, { state, config });
    const { journal } = run;
    const before = new Map(journal);
    if (nested) {
      const own = asOwnRun(config, findRecursionLimit(nested.pipe));
      const handed: Handed = { run, vars, pipe: nested.pipe };
      const configurable = { ...own.configurable, [HANDED]: handed };
      const inner = await nested.graph.invoke({}, { ...own, configurable });
      for (const [path, stage] of readJournal(inner)) journal.set(path, stage);
    }
    const advance = (answers: PipeRun["answers"] = {}) =>
      advancePipe({ ...run, answers, turns: new Set(turns) }, { pipe: engine.pipe, vars });
    await advance();
    const [path = ""] = turns;
    for (let stage = journal.get(path); stage?.type === "waiting"; stage = journal.get(path)) {
      const { chain } = stage;
      const pending = chain.pending as PendingCall;
      const answer = await decidePending(engine.host, { pending, asked: chain, config });
      journal.set(path, { ...stage, chain: answer.asked });
      await advance({ [path]: answer.decision });
    }
    config.signal?.throwIfAborted();
    const changed = [...journal].filter(([path, stage]) => before.get(path) !== stage);
    if (changed.length === 0) throw notItsTurn(path);
    return { [channel]: Object.fromEntries(changed) };
  };
}

/** The refusal of a node that cannot run now: clients of a server can start any node. */
export function notItsTurn(path = "The end of the pipe"): ToolrailError {
  const message = `${path} cannot run now: a step before it has not ended, or has failed.`;
  return new ToolrailError("denied", message);
}
