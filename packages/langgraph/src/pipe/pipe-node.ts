import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { engineOf, notify } from "@toolrail/core/adapter";
import { sha256 } from "@toolrail/core/json";
import { checkPipe, type PipeRun, reportPipe, topVariables } from "@toolrail/core/pipe";
import { readStated } from "../tools/call-config.ts";
import {
  checkVersion,
  countEarlier,
  type PipeEngine,
  type Reading,
  shareRun,
} from "./pipe-engine.ts";
import { readOutcome } from "./pipe-results.ts";
import { type PipeState, type StoredRun, toChannels } from "./pipe-state.ts";
import type { PlacedPipe } from "./place-steps.ts";

export type Work = (context: NodeContext) => Promise<PipeState>;

export interface NodeContext extends Reading {
  readonly config: LangGraphRunnableConfig;
  /** The run with the node's own signal and writer. */
  readonly run: PipeRun;
  /** The reason why the vars of the nested pipe cannot be read. */
  readonly error?: string | undefined;
}

/** The values that a graph inside another gets through its config. */
export type Handed = Pick<NodeContext, "pipe" | "shared" | "variables" | "error">;

export const HANDED = "__toolrail_pipe";

/** Creates a node of a pipe's graph. */
export function toNode(
  engine: PipeEngine,
  { pipe, work }: { readonly pipe: PlacedPipe; readonly work: Work },
) {
  return async (state: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const handed = config.configurable?.[HANDED] as Handed | undefined;
    const around = handed?.pipe === pipe ? handed : await atTop(engine, { state, config });
    const { shared, variables, error } = around;
    countEarlier(shared, { pipe, state });
    const run = inNode(shared.run, config);
    const { limits } = run;
    return work({ pipe, state, variables, limits, config, run, shared, error });
  };
}

async function atTop(
  engine: PipeEngine,
  { state, config }: { readonly state: PipeState; readonly config: LangGraphRunnableConfig },
): Promise<Pick<Handed, "shared" | "variables" | "error">> {
  const run = state.run as StoredRun | null | undefined;
  await checkVersion(engine, run);
  const shared = shareRun(engine, { control: config.control, pipeId: run?.pipeId });
  return { shared, variables: topVariables(engine.pipe, run?.given) };
}

function inNode(run: PipeRun, config: LangGraphRunnableConfig): PipeRun {
  const { signal, writer } = config;
  return {
    ...run,
    signal,
    ...readStated(config),
    report(event) {
      run.report?.(event);
      if (event.type === "step") writer?.({ ...event, type: "toolrail-step" });
    },
  };
}

/**
 * Adapts a config for a pipe that may run inside a bigger graph. It removes a `checkpoint_id` without a value, since
 * LangGraph would run finished steps again when it resumes such a config.
 */
export function asOwnRun(
  config: LangGraphRunnableConfig,
  recursionLimit: number,
): LangGraphRunnableConfig {
  const { checkpoint_id: checkpointId, ...rest } = config.configurable ?? {};
  return {
    ...config,
    recursionLimit: Math.max(config.recursionLimit ?? 0, recursionLimit),
    configurable: {
      ...rest,
      ...(checkpointId !== undefined && { checkpoint_id: checkpointId }),
    },
  };
}

/** Clears the channels of an earlier run and begins a new one. Throws `invalid-pipe` for an unknown var. */
export function startRun(engine: PipeEngine) {
  const { host, pipe } = engine;
  const cleared = Object.fromEntries(Object.keys(toChannels(pipe)).map((name) => [name, null]));
  return async ({ vars }: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { control, configurable } = config;
    const given = vars ?? {};
    const verdict = checkPipe(host, { spec: pipe, vars: given });
    if (!verdict.ok) throw verdict.error;
    const pipeId = await runIdAt(configurable?.checkpoint_ns);
    const { run } = shareRun(engine, { control, pipeId });
    reportPipe(run, { steps: pipe.stepCount });
    const stored = { pipeId: run.pipeId, spec: engine.version, startMs: run.now(), given };
    return { ...cleared, vars: null, run: stored };
  };
}

/**
 * Derives the id of a run from the namespace of its first task: two workers that begin from one checkpoint make one
 * run. Inside another graph it comes from the task there, since each worker writes its own first checkpoint.
 */
async function runIdAt(namespace = ""): Promise<string | undefined> {
  const [innermost, ...around] = namespace.split("|").reverse();
  return around.some((part) => part.includes(":"))
    ? sha256(around.join("|"))
    : innermost?.split(":")[1];
}

export function finishRun({ host, pipe, onResult }: PipeEngine): Work {
  return async (context) => {
    const { run, state } = context;
    const end = readOutcome(context);
    const endMs = run.now();
    const { startMs = endMs } = (state.run ?? {}) as Partial<StoredRun>;
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs: endMs - startMs });
    await notify({ onResult }, end, engineOf(host));
    return { result_for_model: undefined, ...end };
  };
}
