import { type ChainResult, type InputAnswers, ToolrailError } from "@toolrail/core";
import {
  decideHop,
  engineOf,
  type HopTicket,
  isHopId,
  isHopTicket,
  ticketDefect,
  toPending,
  toToolrailError,
} from "@toolrail/core/adapter";
import { isSealOf, sealOf } from "../seal.ts";
import { toCallOptions, toolCallIdOf } from "../tools/call-config.ts";
import {
  type PausableRun,
  type RunOutcome,
  type ToolCallParts,
  tellHop,
} from "../tools/pausable-run.ts";
import type { SealedTicket } from "./chain-state.ts";

/** Makes one call, the model's own or a decided hop, and decides what follows. */
export function runOneHop(call: ToolCallParts, decided: SealedTicket | undefined): PausableRun {
  return async (waited) => {
    const word = waited?.decision;
    if (waited && typeof word === "object" && "deny" in word) {
      return { chain: await call.host.resume(waited.chain, word) };
    }
    const input = typeof word === "object" && "input" in word ? word.input : undefined;
    return makeHop(call, { decided, waited: waited?.chain, input });
  };
}

interface Before {
  readonly decided: SealedTicket | undefined;
  readonly waited: ChainResult | undefined;
  readonly input: InputAnswers | undefined;
}

async function makeHop(
  call: ToolCallParts,
  { decided, waited, input }: Before,
): Promise<RunOutcome> {
  const { host, tool, args, config } = call;
  const root = toolCallIdOf(config) ?? "";
  const refused = await refusalOf(call, decided);
  if (refused) return { chain: { runId: root, ended: "denied", hops: [], error: refused } };
  const ticket = decided?.ticket;
  const { origin = { by: "model" }, place: own, ...options } = toCallOptions(config, tool);
  const asked = { server: tool.server, tool: tool.name, arguments: args, origin };
  const pending = ticket?.call ?? asked;
  const engine = engineOf(host);
  const runId = ticket?.runId ?? waited?.runId ?? engine.newId();
  const { place } = ticket ?? { place: own };
  const { lostAttempts, binding: approved, question } = waited?.pending ?? {};
  const answers = question && input && { question: question.id, input };
  const asking = { origin: pending.origin, runId, place, lostAttempts, approved, answers };
  const outcome = await host
    .call({ tool, arguments: args }, { ...options, ...asking })
    .catch((cause: unknown) => toToolrailError(cause, `The call of ${tool.id} failed`));
  const error = ToolrailError.isInstance(outcome) ? outcome : undefined;
  const hops = ToolrailError.isInstance(outcome) ? [] : [outcome];
  for (const hop of hops) await tellHop(call, hop);
  const { context } = options;
  const at = ticket ? { ticket, context } : { root, place: own, context };
  const next = await decideHop(engine, outcome, at);
  if (next.type === "end") {
    const { type: _, ...end } = next;
    return { chain: { runId, hops, ...(error && { pending: toPending(pending, error) }), ...end } };
  }
  const seal = await sealOf(host, onThread(call, next.ticket));
  return { chain: { runId, hops, ended: "complete" }, next: { ticket: next.ticket, seal } };
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
