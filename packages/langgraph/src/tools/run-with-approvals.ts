import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { type ChainResult, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { isWaiting } from "@toolrail/core/internal";
import { canonicalJson } from "@toolrail/json";
import { invokeInCall, throwClaimed } from "../langgraph-internals.ts";
import { askAbout } from "./ask-person.ts";
import { readConversation, toolCallIdOf } from "./call-config.ts";
import type { PausableRun, RunOutcome, ToolCallParts } from "./pausable-run.ts";

const State = Annotation.Root({ outcome: Annotation<RunOutcome>, over: Annotation<boolean> });

/**
 * Runs to the end, and waits for a person with an interrupt wherever the run pauses. What was run before is
 * kept in checkpoints of its own, so that a resume runs none of it again. In a graph without a
 * checkpointer nobody can be waited for: the outcome is then the pause itself.
 */
export function runWithApprovals(call: ToolCallParts, start: PausableRun): Promise<RunOutcome> {
  const { host, config } = call;
  const { mayWait, services } = engineOf(host);
  const keeps = services.kept !== undefined;
  const run: PausableRun = async (waited) => {
    const outcome = await start(waited);
    throwClaimed(outcome.chain.error);
    if (!keeps) return outcome;
    // Checkpoints, artifacts and messages hold the short form of what is kept.
    return {
      ...outcome,
      chain: await host.keep(outcome.chain, { conversation: readConversation(config) }),
    };
  };
  const key = mayWait ? keyOfRun(call) : undefined;
  return key === undefined ? run() : runInGraph(call, run, key);
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
      return { outcome: { ...outcome, chain: cannotWait(outcome.chain) }, over: true };
    })
    .addEdge(START, "run")
    .addConditionalEdges("run", ({ over }) => (over ? END : "run"), ["run", END])
    .compile();
  return (await invokeInCall(graph, { config, place: key })).outcome;
}

/** Says why nobody was asked, on the error of a chain as it lies in the state. */
function cannotWait(chain: ChainResult): ChainResult {
  if (!chain.error) return chain;
  const message = `${chain.error.message} It was not waited for: this graph has no checkpointer.`;
  return { ...chain, error: { ...chain.error, message } };
}

/** Sets a run apart from others of its task. Arguments without a JSON text need no key: the host refuses them. */
function keyOfRun({ tool, args, config }: ToolCallParts): string | undefined {
  try {
    return canonicalJson([toolCallIdOf(config) ?? "", tool.id, args]);
  } catch {
    return undefined;
  }
}

/** Errors go into a checkpoint, and come out of it, as plain data. */
function toPlain(chain: ChainResult): ChainResult {
  return ToolrailError.isInstance(chain.error) ? { ...chain, error: chain.error.toJSON() } : chain;
}
