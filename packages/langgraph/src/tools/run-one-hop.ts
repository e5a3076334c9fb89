import { ToolrailError } from "@toolrail/core";
import {
  decideHop,
  engineOf,
  type HopTicket,
  isHopId,
  isHopTicket,
  ticketDefect,
} from "@toolrail/core/adapter";
import { toAnswered, toPending, toToolrailError } from "@toolrail/core/internal";
import { isSealOf, sealOf } from "../seal.ts";
import { toCallOptions, toolCallIdOf } from "./call-config.ts";
import type { SealedTicket } from "./chain-state.ts";
import { type PausableRun, type ToolCallParts, tellHop } from "./pausable-run.ts";

/** Makes one call, the model's own or a decided hop, and decides what follows. */
export function runOneHop(call: ToolCallParts, decided: SealedTicket | undefined): PausableRun {
  const { host, tool, args, config } = call;
  const engine = engineOf(host);
  const { ticket } = decided ?? {};
  const root = toolCallIdOf(config) ?? "";
  const { origin = { by: "model" }, ...options } = toCallOptions(config, tool);
  const at = ticket ?? { root, key: options.key };
  const { key } = ticket ?? options;
  const asked = { server: tool.server, tool: tool.name, arguments: args, origin };
  const pending = ticket?.call ?? asked;
  return async (waited) => {
    const word = waited?.decision;
    if (waited && typeof word === "object" && "deny" in word) {
      return { chain: await host.resume(waited.chain, word) };
    }
    const refused = await refusalOf(call, decided);
    if (refused) return { chain: { runId: root, ended: "denied", hops: [], error: refused } };
    const runId = ticket?.runId ?? waited?.chain.runId ?? engine.newId();
    const answered = waited && toAnswered(waited.chain.pending, waited.decision);
    const asking = { ...options, key, runId, origin: pending.origin, ...answered };
    const outcome = await host
      .call({ tool, arguments: args }, asking)
      .catch((cause: unknown) => toToolrailError(cause, `The call of ${tool.id} failed`));
    const hops = ToolrailError.isInstance(outcome) ? [] : [outcome];
    for (const hop of hops) await tellHop(call, hop);
    const { approved } = asking;
    const next = await decideHop(engine, outcome, { ...at, approved, context: options.context });
    if (next.type === "call") {
      const seal = await sealOf(host, onThread(call, next.ticket));
      return { chain: { runId, hops, ended: "complete" }, next: { ticket: next.ticket, seal } };
    }
    const { type: _, ...end } = next;
    const left = ToolrailError.isInstance(outcome) && { pending: toPending(pending, outcome) };
    return { chain: { runId, hops, ...left, ...end } };
  };
}

/** Why a call may not be made as a hop; `undefined` for the model's own calls and for hops as they were decided. */
async function refusalOf(
  call: ToolCallParts,
  decided?: SealedTicket,
): Promise<ToolrailError | undefined> {
  const { host, tool, args, config } = call;
  const id = toolCallIdOf(config) ?? "";
  if (!decided && !isHopId(id)) return undefined;
  const { ticket, seal } = decided ?? {};
  const isOwn = isHopTicket(ticket) && ticket.id === id;
  if (!isOwn || !(await isSealOf(host, { value: onThread(call, ticket), seal }))) {
    return new ToolrailError("unknown-hop", `${tool.id} was not called: ${NOT_DECIDED}`);
  }
  const { server, name } = tool;
  const nowMs = engineOf(host).now();
  return ticketDefect(ticket, { server, name, arguments: args, nowMs });
}

/** What a seal on a ticket stands for. */
function onThread({ config }: ToolCallParts, ticket: HopTicket) {
  return [config.configurable?.thread_id ?? null, ticket];
}

const NOT_DECIDED =
  "no result of this thread asks for it, or no longer. If another process decided it, give both " +
  "hosts the same `secret`.";
