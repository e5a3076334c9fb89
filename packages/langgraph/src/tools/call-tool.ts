import { Command } from "@langchain/langgraph";
import { type ChainResult, type Hop, type Progress, ToolrailError } from "@toolrail/core";
import {
  type AdapterCallOptions,
  decideHop,
  engineOf,
  isHopId,
  isPendingHop,
  notify,
  type PendingHop,
  pendingHopProblem,
  throwAborted,
  toHopSummary,
  toToolrailError,
  viewWithListeners,
} from "@toolrail/core/adapter";
import { answerFor, optionsOf } from "./ask-person.ts";
import {
  messagesOf,
  readConversation,
  readToolCallId,
  type ToolCallParts,
  type ToolEvent,
} from "./call-config.ts";
import { HOPS_KEY, type HopsUpdate, readDecidedHops, readPending } from "./chain-state.ts";
import type { ToolReturn } from "./create-tools.ts";
import {
  artifactOf,
  streamMessage,
  type ToolArtifact,
  toMessageBlocks,
  toMessageContent,
  toToolMessage,
} from "./messages.ts";

/** A chain that has ended, or one call of it and the hop that follows as a turn of the graph. */
interface Outcome {
  readonly chain: ChainResult;
  readonly next?: PendingHop;
}

/** Answers a tool call. If the state of the graph has decided hops, it makes this one call, else the whole chain. */
export async function callTool(call: ToolCallParts): Promise<ToolReturn> {
  const { host, tool, config, listeners } = call;
  const toolCallId = readToolCallId(config);
  const made = await makeCall(call);
  const conversation = readConversation(config);
  const chain = await host.keep(made.chain, { conversation });
  const { next } = made;
  if (!next && listeners.onResult) {
    const hops = [...findEarlierHops(config.state, chain.runId), ...chain.hops];
    const { onResult } = listeners;
    await notify({ onResult }, { toolCallId, tool, chain: { ...chain, hops } }, engineOf(host));
  }
  throwAborted(chain.ended, config.signal);
  const view = await viewWithListeners(chain, { host, ...listeners, conversation });
  const { runId, ended, hops, error } = chain;
  const artifact: ToolArtifact = {
    runId,
    ...(!next && { ended }),
    hops,
    ...(error && { error: { code: error.code, message: error.message } }),
    ...(view.userOnly && { shown: true }),
  };
  if (toolCallId === undefined && !view.isError) {
    return [toMessageContent(toMessageBlocks(view.content)), artifact];
  }
  const id = `result-${engineOf(host).newId()}`;
  const answered = { id, name: tool.modelName, toolCallId: toolCallId ?? "" };
  const message = toToolMessage(view, { artifact, ...answered });
  const decided = readDecidedHops(config.state);
  if (!decided || toolCallId === undefined) return [message, artifact];
  const update: HopsUpdate = {
    ...(Object.hasOwn(decided, toolCallId) && { [toolCallId]: null }),
    ...(next && { [next.id]: { pending: next, cause: { toolCallId, messageId: id } } }),
  };
  await streamMessage(message, config);
  return [new Command({ update: { messages: [message], [HOPS_KEY]: update } }), artifact];
}

async function makeCall(call: ToolCallParts): Promise<Outcome> {
  const { host, config } = call;
  const toolCallId = readToolCallId(config) ?? "";
  const pending = readPending(config.state, toolCallId);
  const runId = pending?.runId ?? engineOf(host).newId();
  const refused = refuseHop(call, pending);
  if (refused) return { chain: { runId, ended: "denied", hops: [], error: refused } };
  const options = { ...optionsOf(host, config, toolCallId), runId };
  const answer = await answerFor(call, options);
  if (!answer) return makeAllowed(call, options);
  if (answer === "nobody") return withoutCheckpointer(call, await makeAllowed(call, options));
  const { decision, pending: asked } = answer;
  if (decision !== "approve" && "deny" in decision) {
    const waiting = { runId, ended: "needs-approval", hops: [], pending: asked } as const;
    return { chain: await host.resume(waiting, decision, { context: options.context }) };
  }
  const changes = decision === "approve" ? undefined : decision.approve.arguments;
  return makeAllowed(call, { ...options, approved: asked.binding, changes });
}

/** Makes the chain or, if the graph makes each hop as a turn, this one call. Policies may still refuse it. */
async function makeAllowed(call: ToolCallParts, given: AdapterCallOptions): Promise<Outcome> {
  const { host, tool, args, config, listeners } = call;
  const { writer } = config;
  const onProgress = (progress: Progress) => {
    const toolCallId = readToolCallId(config);
    const event: ToolEvent = { type: "toolrail-progress", toolCallId, tool: tool.id, ...progress };
    writer?.(event);
  };
  // Servers are asked for progress only if there is a stream to write it to.
  const options = writer ? { ...given, onProgress } : given;
  if (readDecidedHops(config.state)) return makeOneCall(call, options);
  const isHeard = writer ?? listeners.onHop;
  const onHop = isHeard && ((hop: Hop) => reportHop(call, hop));
  return { chain: await host.run({ tool, arguments: args }, { ...options, onHop }) };
}

/** Makes one call, either the model's own or a decided hop, and decides which hop follows. */
async function makeOneCall(call: ToolCallParts, options: AdapterCallOptions): Promise<Outcome> {
  const { host, tool, args, config } = call;
  const { runId = "", origin = { by: "model" }, key, approved, context } = options;
  const outcome = await host
    .call({ tool, arguments: args }, options)
    .catch((cause) => toToolrailError(cause, `The call of ${tool.id} failed`));
  const hops = ToolrailError.isInstance(outcome) ? [] : [outcome];
  for (const hop of hops) await reportHop(call, hop);
  const root = readToolCallId(config) ?? "";
  const first = {
    root,
    key,
    call: { server: tool.server, tool: tool.name, arguments: args, origin },
  };
  const site = readPending(config.state, root) ?? first;
  const next = await decideHop(host, outcome, { ...site, approved, context });
  if (next.type === "call") {
    return { chain: { runId, hops, ended: "complete" }, next: next.pending };
  }
  const { type: _, ...end } = next;
  return { chain: { runId, hops, ...end } };
}

function withoutCheckpointer({ host }: ToolCallParts, { chain, ...outcome }: Outcome): Outcome {
  const { ended, hops, error } = chain;
  if (ended !== "needs-approval" || hops.length > 0 || !error) return { chain, ...outcome };
  engineOf(host).warn(
    "cannot-wait",
    "a graph has no checkpointer. Pass `checkpointer` to `createAgent` or to `compile`.",
  );
  const message = `${error.message} This graph has no checkpointer, so the call cannot wait.`;
  return { ...outcome, chain: { ...chain, error: { code: error.code, message } } };
}

/** Returns why a call may not be made as a hop, or `undefined` for the model's own calls and for valid hops. */
function refuseHop(
  { host, tool, args, config }: ToolCallParts,
  pending: PendingHop | undefined,
): ToolrailError | undefined {
  const id = readToolCallId(config) ?? "";
  if (!pending && !isHopId(id)) return undefined;
  if (!isPendingHop(pending) || pending.id !== id) {
    const message = `${tool.id} was not called: no result in this thread asks for this call now.`;
    return new ToolrailError("unknown-hop", message);
  }
  const { server, name } = tool;
  const nowMs = engineOf(host).now();
  return pendingHopProblem(pending, { server, name, arguments: args, nowMs });
}

/** Reports a finished call to the custom stream and the listener. */
function reportHop({ host, config, listeners }: ToolCallParts, hop: Hop) {
  const toolCallId = readToolCallId(config);
  if (config.writer) {
    const { callId } = hop;
    const event: ToolEvent = { type: "toolrail-hop", toolCallId, callId, ...toHopSummary(hop) };
    config.writer(event);
  }
  const { onHop } = listeners;
  return onHop && notify({ onHop }, { toolCallId, hop }, engineOf(host));
}

/** Lists the calls of this chain that earlier messages answer. */
function findEarlierHops(state: unknown, runId: string): Hop[] {
  const artifacts = messagesOf(state).flatMap((message) => artifactOf(message) ?? []);
  return artifacts.filter((one) => one.runId === runId).flatMap(({ hops }) => hops);
}
