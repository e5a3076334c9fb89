import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { type ChainResult, ToolrailError } from "@toolrail/core";
import { isWaiting } from "@toolrail/core/internal";
import { engineOf } from "@toolrail/core/plugin";
import { canonicalJson } from "@toolrail/json";
import { hasCheckpointer, invokeInCall, throwClaimed } from "../langgraph-internals.ts";
import { askAbout } from "./ask-person.ts";
import { readConversation, readToolCallId } from "./call-config.ts";
import type { PausableRun, RunOutcome, ToolCallParts } from "./pausable-run.ts";

const State = Annotation.Root({ outcome: Annotation<RunOutcome>, over: Annotation<boolean> });

/**
 * Runs a call to its end, and waits for a person with an interrupt if it pauses. Finished calls are stored in
 * separate checkpoints, so that a resume makes none of them again. A graph without a checkpointer cannot wait: the
 * outcome is then the pause itself.
 */
export function runWithApprovals(call: ToolCallParts, start: PausableRun): Promise<RunOutcome> {
  const { host, config } = call;
  const { mayAsk } = engineOf(host);
  const run: PausableRun = async (waited) => {
    const outcome = await start(waited);
    throwClaimed(outcome.chain.error);
    // Checkpoints, artifacts and messages contain the short form of stored results.
    return {
      ...outcome,
      chain: await host.keep(outcome.chain, { conversation: readConversation(config) }),
    };
  };
  const key = mayAsk() && hasCheckpointer(config) ? buildRunKey(call) : undefined;
  if (key !== undefined) return runInGraph(call, run, key);
  return run().then((outcome) => (isWaiting(outcome.chain) ? cannotWait(outcome) : outcome));
}

async function runInGraph(
  { host, config }: ToolCallParts,
  run: PausableRun,
  key: string,
): Promise<RunOutcome> {
  const keep = (outcome: RunOutcome) => ({
    outcome: { ...outcome, chain: toPlain(outcome.chain) },
    over: !isWaiting(outcome.chain),
  });
  const graph = new StateGraph(State)
    .addNode("run", async ({ outcome }) => {
      if (!outcome) return keep(await run());
      const decision = await askAbout(host, outcome.chain.pending);
      if (decision) return keep(await run({ chain: outcome.chain, decision }));
      return { outcome: cannotWait(outcome), over: true };
    })
    .addEdge(START, "run")
    .addConditionalEdges("run", ({ over }) => (over ? END : "run"), ["run", END])
    .compile();
  return (await invokeInCall(graph, { config, place: key })).outcome;
}

function cannotWait(outcome: RunOutcome): RunOutcome {
  const { error, ...chain } = toPlain(outcome.chain);
  if (!error) return outcome;
  const message = `${error.message} This graph has no checkpointer, so the call cannot wait.`;
  return { ...outcome, chain: { ...chain, error: { ...error, message } } };
}

/** Returns a key that no other run of the task has. Arguments without a JSON text need none: the host refuses them. */
function buildRunKey({ tool, args, config }: ToolCallParts): string | undefined {
  try {
    return canonicalJson([readToolCallId(config) ?? "", tool.id, args]);
  } catch {
    return undefined;
  }
}

function toPlain(chain: ChainResult): ChainResult {
  return ToolrailError.isInstance(chain.error) ? { ...chain, error: chain.error.toJSON() } : chain;
}
