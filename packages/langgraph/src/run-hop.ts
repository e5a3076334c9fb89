import {
  type ChainResult,
  canonicalJson,
  type HopTicket,
  type Host,
  type HostTool,
  type JsonObject,
  type ModelViewOptions,
} from "@toolrail/core";
import { type CallConfig, toCallOptions, writeHop } from "./call-config.ts";

/** A tool on its host, and how its results are shown. */
export interface ToolParts {
  readonly host: Host;
  readonly tool: HostTool;
  readonly options: ModelViewOptions;
}

/** One call of a chain whose hops are turns of the graph, and the ticket of the hop that follows. */
export interface HopOutcome {
  readonly chain: ChainResult;
  readonly next?: HopTicket;
}

export interface HopRun {
  readonly args: JsonObject;
  readonly config: CallConfig;
  readonly toolCallId: string;
  /** Of the hop that this call is; the model's own call has none. */
  readonly ticket: HopTicket | undefined;
  readonly approved?: boolean;
}

/**
 * Makes one call, the model's own or a decided hop, and decides what follows. A hop that a person has
 * edited is not what the server asked for any more: it passes the door as the model's call, at the same
 * depth.
 */
export async function runHop(
  { host, tool }: ToolParts,
  { args, config, toolCallId, ticket, approved = false }: HopRun,
): Promise<HopOutcome> {
  const asDecided = ticket !== undefined && isCallOf(ticket, tool, args);
  if (ticket) await host.ledger.drop(ticket.id);
  const calls = host.stream(
    { tool, arguments: args },
    {
      ...toCallOptions(config, tool),
      ...(asDecided && { origin: ticket.call.origin }),
      ...(ticket && { runId: ticket.runId }),
      approved,
    },
  );
  const step = await calls.next();
  if (step.done) return { chain: step.value };
  const hop = step.value;
  await calls.return(undefined as never); // What follows is a turn of the graph's own.
  writeHop(config, hop);
  const chain: ChainResult = { runId: hop.runId, hops: [hop], ended: "complete" };
  const next = await host.ledger.plan(hop, ticket ? { ticket } : { root: toolCallId });
  if (next.type === "call") return { chain, next: next.ticket };
  const { type: _, ...end } = next;
  return { chain: { ...chain, ...end } };
}

function isCallOf({ call }: HopTicket, tool: ToolParts["tool"], args: JsonObject): boolean {
  return (
    call.server === tool.server &&
    call.tool === tool.name &&
    canonicalJson(call.arguments) === canonicalJson(args)
  );
}
