import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type PipeRun, topVariables } from "@toolrail/pipe/engine";
import { readState, throwClaimed } from "../langgraph-internals.ts";
import { statedOf } from "../tools/call-config.ts";
import { uniqueVersions } from "../unique-versions.ts";
import {
  checkVersion,
  countEarlier,
  type PipeEngine,
  type Reading,
  shareRun,
} from "./pipe-engine.ts";
import { type KeptRun, type PipeState, toChannels } from "./pipe-state.ts";
import type { PlacedPipe } from "./place-steps.ts";
import { openState, signUpdate } from "./signed-state.ts";

export type Work = (context: NodeContext) => Promise<PipeState>;

export interface NodeContext extends Reading {
  readonly config: LangGraphRunnableConfig;
  /** The run with the node's own signal and writer. */
  readonly run: PipeRun;
  readonly outer?: Outer | undefined;
}

/** The variables and the state of a nested pipe's step, in the graph around it. */
interface Outer {
  readonly variables: NodeContext["variables"];
  /** True if the pipe is an item of a list, which has counted it. */
  readonly isItem: boolean;
  /** The reason why the vars of the nested pipe cannot be read. */
  readonly error?: string | undefined;
}

/** The values that a graph inside another gets through its config. */
export type Handed = Pick<NodeContext, "pipe" | "shared" | "variables" | "outer">;

export const HANDED = "__toolrail_pipe";

/** Creates a node of a pipe's graph. It accepts only state that this run stored. */
export function toNode(
  engine: PipeEngine,
  { pipe, work }: { readonly pipe: PlacedPipe; readonly work: Work },
) {
  const channels = Object.keys(toChannels(pipe));
  return async (given: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { at } = given;
    const state = at === undefined ? given : { ...readState(config, channels), at };
    const handed = config.configurable?.[HANDED] as Handed | undefined;
    const around = handed?.pipe === pipe ? handed : await atTop(engine, { state, config });
    const { shared, variables, outer } = around;
    await openState({ pipe, state, shared, config });
    countEarlier(shared, { pipe, state, isItem: outer?.isItem });
    const run = inNode(shared.run, config);
    const { limits } = engine;
    const context = { pipe, state, variables, limits, config, run, shared, outer };
    return signUpdate({ ...context, state: await work(context) });
  };
}

async function atTop(
  engine: PipeEngine,
  { state, config }: { readonly state: PipeState; readonly config: LangGraphRunnableConfig },
): Promise<Pick<Handed, "shared" | "variables" | "outer">> {
  const run = state.run as KeptRun | null | undefined;
  await checkVersion(engine, run);
  const shared = shareRun(engine, { control: config.control, pipeId: run?.pipeId });
  return { shared, variables: topVariables(engine.pipe, run?.given) };
}

function inNode(run: PipeRun, config: LangGraphRunnableConfig): PipeRun {
  const { signal, writer } = config;
  return {
    ...run,
    signal,
    ...statedOf(config),
    onChain: ({ error }) => throwClaimed(error),
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
  const {
    checkpoint_id: checkpointId,
    __pregel_checkpointer: saver,
    ...rest
  } = config.configurable ?? {};
  return {
    ...config,
    recursionLimit: Math.max(config.recursionLimit ?? 0, recursionLimit),
    configurable: {
      ...rest,
      ...(checkpointId !== undefined && { checkpoint_id: checkpointId }),
      ...(saver && { __pregel_checkpointer: uniqueVersions(saver) }),
    },
  };
}
