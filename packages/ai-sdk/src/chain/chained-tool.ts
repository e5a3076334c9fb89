import {
  type CallOptions,
  type ChainResult,
  type Hop,
  type Host,
  ToolrailError,
} from "@toolrail/core";
import {
  type CallPlace,
  type DecidedHop,
  decideHop,
  engineOf,
  type HopTicket,
  isHopId,
  notify,
  throwAborted,
  toolId,
  toRef,
  toToolrailError,
} from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk-types.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";
import { createReadTool } from "../tools/read-tool.ts";
import { createSdkTools, type MadeCall } from "../tools/sdk-tool.ts";
import { type ToolOutput, toOutput } from "../tools/tool-output.ts";
import type { HopTickets } from "./hop-tickets.ts";

/** A tool that makes one call; what follows from it is the next step's business. */
export type ChainedTool = SdkTool<ToolOutput, Promise<ToolOutput>>;

export interface ChainParts extends Pick<ToolsOptions, "onHop" | "scope"> {
  readonly host: Host;
  readonly tickets: HopTickets;
  /** Model names by tool id: what a hop may mean in this run. */
  readonly names: ReadonlyMap<string, string>;
}

/** All tools of the host, since hops reach those too that no model is offered. */
export function createChainedTools(parts: ChainParts): Record<string, ChainedTool> {
  const { host, tickets } = parts;
  const reading = createReadTool(host, { scope: parts.scope, toResult: (output) => output });
  const tools = createSdkTools(host.tools, {
    host,
    scope: parts.scope,
    checksArguments: true,
    async check({ toolCallId, request, options }) {
      const ticket = isHopId(toolCallId) ? await tickets.find(toolCallId) : undefined;
      return host.check(request, { ...options, ...ofTicket(ticket) });
    },
    run: (call) => makeCall(parts, call),
  });
  return { ...tools, ...reading };
}

async function makeCall(parts: ChainParts, call: MadeCall): Promise<ToolOutput> {
  const { host, tickets, onHop } = parts;
  const { toolCallId, request, options, word } = call;
  let ticket: HopTicket | undefined;
  let outcome: Hop | ToolrailError;
  try {
    const asked = { ...request.tool, arguments: request.arguments };
    ticket = isHopId(toolCallId) ? await tickets.take(toolCallId, asked) : undefined;
    outcome = await host.call(request, { ...options, ...ofTicket(ticket), ...(await word()) });
  } catch (cause) {
    outcome = toToolrailError(cause, `The call of ${request.tool.id} failed`);
    throwAborted(outcome.code, options.signal);
  }
  const place = ticket ? { ticket } : { root: toolCallId, place: options.place };
  const next = await decideNext(parts, { outcome, place });
  if (ToolrailError.isInstance(outcome)) return toOutput(toChain([], next), parts);
  await notify(onHop, { toolCallId, hop: outcome });
  const source = next.type === "call" ? outcome : toChain([outcome], next);
  return { ...(await toOutput(source, parts)), callId: outcome.callId };
}

/** Who asks for a hop, in which run, and where it stands. */
function ofTicket(ticket: HopTicket | undefined): CallOptions {
  if (!ticket) return {};
  return { runId: ticket.runId, origin: ticket.call.origin, place: ticket.place };
}

/** A tool that was listed only after the run began has no place in it, so the chain ends before it. */
async function decideNext(
  { host, tickets, names }: ChainParts,
  { outcome, place }: { readonly outcome: Hop | ToolrailError; readonly place: CallPlace },
): Promise<DecidedHop> {
  const engine = engineOf(host);
  const next = await decideHop(engine, outcome, place);
  if (next.type === "end") return next;
  const id = toolId(toRef(next.ticket.call));
  try {
    if (!names.has(id)) throw new ToolrailError("unknown-tool", `${id} ${LISTED_LATE}`);
    await tickets.keep(next.ticket);
    return next;
  } catch (cause) {
    return decideHop(engine, toToolrailError(cause, `The call of ${id} could not wait`), next);
  }
}

const LISTED_LATE = "was listed after withChaining was called; call it again for each run.";

function toChain(hops: readonly Hop[], next: DecidedHop): ChainResult {
  const { type: _, ...end } = next as Extract<DecidedHop, { type: "end" }>;
  return { ...end, runId: hops[0]?.runId ?? "", hops };
}
