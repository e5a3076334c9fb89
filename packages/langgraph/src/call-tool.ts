import type { ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import {
  type ChainResult,
  canonicalJson,
  type HopTicket,
  type Host,
  isHopId,
  type JsonObject,
  ToolrailError,
} from "@toolrail/core";
import { type PausableRun, runWithApprovals } from "./approval.ts";
import { type CallConfig, toCallOptions, toolCallIdOf, writeHop } from "./call-config.ts";
import { type MessageBlock, toMessageContent } from "./content-blocks.ts";
import { type DecidedHops, decidedHopsOf, HOPS_KEY, type HopsUpdate } from "./hop-channel.ts";
import { type HopOutcome, type HopRun, runHop, type ToolParts } from "./run-hop.ts";
import { streamMessage } from "./stream-message.ts";
import { type ToolArtifact, toAnswer, toToolMessage } from "./tool-message.ts";

/** Content and artifact, as LangChain's `content_and_artifact` has it. A message stands for itself. */
export type ToolReturn = [
  content: string | MessageBlock[] | ToolMessage | Command,
  artifact: ToolArtifact,
];

/**
 * Answers a tool call. Where the graph has room for decided hops it makes this one call and notes what
 * follows; elsewhere it runs the whole chain.
 */
export async function callTool(
  parts: ToolParts,
  args: JsonObject,
  config: CallConfig,
): Promise<ToolReturn> {
  const decided = decidedHopsOf(config.state);
  const toolCallId = toolCallIdOf(config);
  if (toolCallId === undefined) return callChain(parts, args, config);
  const ticket = decided && ticketOf(decided, toolCallId);
  if (isHopId(toolCallId) && !ticket) return refuseHop(parts, toolCallId);
  return decided
    ? callHop(parts, { args, config, toolCallId, ticket })
    : callChain(parts, args, config);
}

function ticketOf(decided: DecidedHops, toolCallId: string): HopTicket | undefined {
  return Object.hasOwn(decided, toolCallId) ? decided[toolCallId]?.ticket : undefined;
}

/** A message that merely looks like a hop's, or a hop that was made already. */
function refuseHop({ tool, options }: ToolParts, toolCallId: string): ToolReturn {
  const message = `${tool.id} was not called: no result of this graph asks for it, or not any more.`;
  const error = new ToolrailError("unknown-hop", message);
  const answer = toAnswer({ runId: toolCallId, ended: "denied", hops: [], error }, options);
  return [toToolMessage(answer, { name: tool.modelName, toolCallId }), answer.artifact];
}

/** An error is a message with that status, also where no call id was given. */
async function callChain(
  parts: ToolParts,
  args: JsonObject,
  config: CallConfig,
): Promise<ToolReturn> {
  const { host, tool, options } = parts;
  const callOptions = toCallOptions(config, tool);
  const follow = async (calls: ReturnType<Host["stream"]>) => {
    for (;;) {
      const step = await calls.next();
      if (step.done) return { chain: step.value };
      writeHop(config, step.value);
    }
  };
  const { chain } = await answerable(parts, args, config, {
    start: () => follow(host.stream({ tool, arguments: args }, callOptions)),
    resume: async (paused, decision) => ({
      chain: await host.resume(paused, decision, callOptions),
    }),
  });
  const answer = toAnswer(chain, options);
  const toolCallId = toolCallIdOf(config);
  if (toolCallId === undefined && !answer.isError) {
    return [toMessageContent(answer.content).content, answer.artifact];
  }
  const message = { name: tool.modelName, toolCallId: toolCallId ?? "" };
  return [toToolMessage(answer, message), answer.artifact];
}

async function callHop(parts: ToolParts, run: HopRun): Promise<ToolReturn> {
  const { toolCallId, ticket } = run;
  const outcome = await answerable<HopOutcome>(parts, run.args, run.config, {
    start: () => runHop(parts, run),
    resume: async (paused, decision) =>
      decision === "approve"
        ? runHop(parts, { ...run, approved: true })
        : { chain: await parts.host.resume(paused, decision) },
  });
  const { chain, next } = outcome;
  const answer = toAnswer(chain, parts.options, next === undefined);
  const messageId = `result-${chain.hops[0]?.callId ?? toolCallId}`;
  const message = toToolMessage(answer, { id: messageId, name: parts.tool.modelName, toolCallId });
  const update: HopsUpdate = {
    ...(ticket && { [ticket.id]: null }),
    ...(next && { [next.id]: { ticket: next, cause: { toolCallId, messageId } } }),
  };
  await streamMessage(message, run.config);
  return [new Command({ update: { messages: [message], [HOPS_KEY]: update } }), answer.artifact];
}

async function answerable<Outcome extends { readonly chain: ChainResult }>(
  { host, tool }: ToolParts,
  args: JsonObject,
  config: CallConfig,
  run: PausableRun<Outcome>,
): Promise<Outcome> {
  const place = host.mayAsk ? placeOf([toolCallIdOf(config) ?? "", tool.id, args]) : undefined;
  const outcome = await (place === undefined
    ? run.start()
    : runWithApprovals(host, run, config, place));
  if (outcome.chain.ended === "aborted") config.signal?.throwIfAborted();
  return outcome;
}

/** A call whose arguments have no JSON text has no place, and needs none: the door refuses it. */
function placeOf(call: readonly unknown[]): string | undefined {
  try {
    return canonicalJson(call);
  } catch {
    return undefined;
  }
}
