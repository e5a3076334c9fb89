import { Command } from "@langchain/langgraph";
import { isHopId, notify, throwAborted } from "@toolrail/core/adapter";
import { engineOf } from "@toolrail/core/plugin";
import { streamMessage } from "../langgraph-internals.ts";
import { readToolCallId } from "./call-config.ts";
import { HOPS_KEY, type HopsUpdate, readDecidedHops } from "./chain-state.ts";
import { toMessageBlocks, toMessageContent } from "./content-blocks.ts";
import type { ToolReturn } from "./open-tool.ts";
import { runWholeChain, type ToolCallParts } from "./pausable-run.ts";
import { runOneHop } from "./run-one-hop.ts";
import { runWithApprovals } from "./run-with-approvals.ts";
import { findEarlierHops, type ToolArtifact, toArtifactView } from "./tool-artifact.ts";
import { toToolMessage } from "./tool-message.ts";

/** Answers a tool call. If the state of the graph has decided hops, it makes this one call, else the whole chain. */
export async function callTool(call: ToolCallParts): Promise<ToolReturn> {
  const { host, tool, config, listeners } = call;
  const toolCallId = readToolCallId(config);
  const { chain, next } = await runWithApprovals(call, toRun(call));
  if (!next && listeners.onResult) {
    const hops = [...findEarlierHops(config.state, chain.runId), ...chain.hops];
    await notify(listeners.onResult, { toolCallId, tool, chain: { ...chain, hops } });
  }
  throwAborted(chain.ended, config.signal);
  const { runId, ended, hops, error } = chain;
  const end = error && { error: { code: error.code, message: error.message } };
  const artifact: ToolArtifact = { runId, ...(!next && { ended }), hops, ...end };
  const view = toArtifactView(artifact, host.tools);
  if (toolCallId === undefined && !view.isError) {
    return [toMessageContent(toMessageBlocks(view.content)), artifact];
  }
  const id = `result-${engineOf(host).newId()}`;
  const answered = { id, name: tool.modelName, toolCallId: toolCallId ?? "" };
  const message = toToolMessage(view, { artifact, ...answered });
  const decided = readDecidedHops(config.state);
  if (!decided || toolCallId === undefined) return [message, artifact];
  const cause = { toolCallId, messageId: id };
  const update: HopsUpdate = {
    ...(Object.hasOwn(decided, toolCallId) && { [toolCallId]: null }),
    ...(next && { [next.id]: { pending: next, cause } }),
  };
  await streamMessage(message, config);
  return [new Command({ update: { messages: [message], [HOPS_KEY]: update } }), artifact];
}

/** If the state has no decided hops, the graph has made none: a call with the id of a hop is then refused. */
function toRun(call: ToolCallParts) {
  const id = readToolCallId(call.config);
  const decided = readDecidedHops(call.config.state);
  if (id === undefined || !(decided || isHopId(id))) return runWholeChain(call);
  return runOneHop(call, decided && Object.hasOwn(decided, id) ? decided[id]?.pending : undefined);
}
