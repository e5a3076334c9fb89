import { type PendingCall, ToolrailError } from "@toolrail/core";
import {
  decideHop,
  isHopId,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
} from "@toolrail/core/adapter";
import { toPending, toToolrailError } from "@toolrail/core/internal";
import { engineOf } from "@toolrail/core/plugin";
import { readToolCallId, toCallOptions } from "./call-config.ts";
import { type PausableRun, reportHop, type ToolCallParts } from "./pausable-run.ts";

/** Makes one call, either the model's own or a decided hop, and decides which hop follows. */
export function runOneHop(call: ToolCallParts, pending: PendingHop | undefined): PausableRun {
  const { host, tool, args, config } = call;
  const engine = engineOf(host);
  const root = readToolCallId(config) ?? "";
  const { origin = { by: "model" }, ...options } = toCallOptions(host, config, tool);
  const { conversation, context } = options;
  const current = pending ?? { root, key: options.key };
  const asked = { server: tool.server, tool: tool.name, arguments: args, origin };
  const called: PendingCall = pending?.call ?? asked;
  return async (waited) => {
    const decision = waited?.decision;
    if (waited && typeof decision === "object" && "deny" in decision) {
      return { chain: await host.resume(waited.chain, decision, { context }) };
    }
    const refused = refuseHop(call, pending);
    if (refused) return { chain: { runId: root, ended: "denied", hops: [], error: refused } };
    const runId = pending?.runId ?? waited?.chain.runId ?? engine.newId();
    const failed = (cause: unknown) => toToolrailError(cause, `The call of ${tool.id} failed`);
    const approved = waited?.chain.pending?.binding;
    const changes =
      typeof decision === "object" && "approve" in decision
        ? decision.approve.arguments
        : undefined;
    const asking = {
      ...options,
      key: current.key,
      runId,
      origin: called.origin,
      approved,
      changes,
    };
    const outcome = await host.call({ tool, arguments: args }, asking).catch(failed);
    const hops = ToolrailError.isInstance(outcome) ? [] : [outcome];
    for (const hop of hops) await reportHop(call, hop);
    const next = await decideHop(host, outcome, { ...current, approved, context });
    if (next.type === "call") {
      return { chain: { runId, hops, ended: "complete" }, next: next.pending };
    }
    const { type: _, ...end } = next;
    const left = ToolrailError.isInstance(outcome) && {
      pending: { ...toPending(called, outcome), ...(conversation && { conversation }) },
    };
    return { chain: { runId, hops, ...end, ...left } };
  };
}

/** Returns why a call may not be made as a hop, or `undefined` for the model's own calls and for valid hops. */
function refuseHop(
  { host, tool, args, config }: ToolCallParts,
  pending: PendingHop | undefined,
): ToolrailError | undefined {
  const id = readToolCallId(config) ?? "";
  if (!pending && !isHopId(id)) return undefined;
  if (!isPendingHop(pending) || pending.id !== id) {
    return new ToolrailError("unknown-hop", `${tool.id} was not called: ${NOT_DECIDED}`);
  }
  const { server, name } = tool;
  const nowMs = engineOf(host).now();
  return pendingHopProblem(pending, { server, name, arguments: args, nowMs });
}

const NOT_DECIDED = "no result in this thread asks for this call now.";
