import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { notify, reportPipe } from "@toolrail/core/adapter";
import { checkPipe } from "@toolrail/core/pipe";
import { type PipeEngine, shareRun } from "./pipe-engine.ts";
import type { Work } from "./pipe-node.ts";
import { outcomeOf } from "./pipe-results.ts";
import { sealUpdate } from "./pipe-seals.ts";
import type { PipeState } from "./pipe-state.ts";
import { channelsOf } from "./place-steps.ts";

/** Takes the input and clears what an earlier run has left. Throws `invalid-pipe` for a var that is not in the spec. */
export function startNode(engine: PipeEngine) {
  const { host, pipe } = engine;
  const cleared = Object.fromEntries(channelsOf(pipe.steps).map((channel) => [channel, null]));
  return async ({ vars }: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { control, configurable } = config;
    const given = vars ?? {};
    const verdict = checkPipe(host, { spec: pipe, vars: given });
    if (!verdict.ok) throw verdict.error;
    // The id of this task: two workers that begin from one checkpoint make one run of it.
    const pipeId: string | undefined = configurable?.checkpoint_ns?.split(":").at(-1);
    const shared = shareRun(engine, { control, pipeId });
    const { run } = shared;
    reportPipe(run, { steps: pipe.stepCount });
    const state = {
      ...cleared,
      vars: null,
      run: { pipeId: run.pipeId, spec: await engine.version, startMs: run.now(), given },
    };
    return sealUpdate({ pipe, state, shared, config });
  };
}

/** Ends a run with the output of the contract. */
export function finish({ pipe, onResult }: PipeEngine): Work {
  return async (context) => {
    const { run, state } = context;
    const end = outcomeOf(context);
    const endMs = run.now();
    const elapsedMs = endMs - (state.run?.startMs ?? endMs);
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs });
    await notify(onResult, end);
    return { result_for_model: undefined, ...end };
  };
}
