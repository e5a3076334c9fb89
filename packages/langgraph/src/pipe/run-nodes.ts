import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { notify } from "@toolrail/core/adapter";
import { sha256 } from "@toolrail/json";
import { checkPipe } from "@toolrail/pipe";
import { reportPipe } from "@toolrail/pipe/engine";
import { type PipeEngine, shareRun } from "./pipe-engine.ts";
import type { Work } from "./pipe-node.ts";
import { outcomeOf } from "./pipe-results.ts";
import { type KeptRun, type PipeState, toChannels } from "./pipe-state.ts";
import { signUpdate } from "./signed-state.ts";

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
    const shared = shareRun(engine, { control, pipeId });
    const { run } = shared;
    reportPipe(run, { steps: pipe.stepCount });
    const state = {
      ...cleared,
      vars: null,
      run: { pipeId: run.pipeId, spec: await engine.version, startMs: run.now(), given },
    };
    return signUpdate({ pipe, state, shared, config });
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

export function finishRun({ pipe, onResult }: PipeEngine): Work {
  return async (context) => {
    const { run, state } = context;
    const end = outcomeOf(context);
    const endMs = run.now();
    const { startMs = endMs } = (state.run ?? {}) as Partial<KeptRun>;
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs: endMs - startMs });
    await notify(onResult, end);
    return { result_for_model: undefined, ...end };
  };
}
