import { chainEndOf } from "../chain/chain-end.ts";
import type { ChainEnd, PendingCall } from "../chain/chain-result.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { HostTool } from "../host/tool.ts";
import { admitPlanned, type GuardRules, plannerTools } from "./admit-planned.ts";
import { definitionHash } from "./fingerprint.ts";
import { type GuardOutcome, toAsked, toBlocked } from "./guard-outcome.ts";
import { judgeHop } from "./judge-hop.ts";
import { readHashes, rememberTools } from "./known-tools.ts";
import { listProblem, relistServer, toolChange } from "./live-tools.ts";
import { type Plan, toPlan, toRequest } from "./plan.ts";
import { isQueryState, type QueryState } from "./query-state.ts";
import type { QueryStore } from "./query-store.ts";

/** The gate of one query of a user. */
export interface GuardedQuery {
  readonly id: string;
  /** As of now. While a call is under way it reads as spent. */
  readonly state: QueryState;
  /** Carries out a plan. Never rejects. */
  run(plan: Plan, options?: CallOptions): Promise<GuardOutcome>;
  /** Makes the call of this query, or says why not. Only one of several at once is considered. Never rejects. */
  call(request: CallRequest, options?: CallOptions): Promise<GuardOutcome>;
  /** Makes or drops the call that waits for approval. Never rejects. */
  resume(decision: ApprovalDecision, options?: CallOptions): Promise<GuardOutcome>;
}

interface QueryParts {
  readonly rules: GuardRules;
  readonly store: QueryStore;
  readonly relist: boolean;
  readonly maxRefusals: number;
}

export function createGuardedQuery(parts: QueryParts, before: QueryState): GuardedQuery {
  const { host } = parts.rules;
  const { id } = before;
  const known = before.tools ? readHashes(before.tools) : rememberTools(plannerTools(parts.rules));
  const isKnown = isQueryState(before);
  let phase: QueryState["phase"] = isKnown ? before.phase : "spent";
  let refusals = isKnown ? before.refusals : 0;
  let pending = isKnown ? before.pending : undefined;

  /** From here to the call nothing else can take the step: the phase was set before the first await. */
  const attempt = async (request: CallRequest, options: CallOptions): Promise<GuardOutcome> => {
    phase = "spent";
    pending = undefined;
    const refuse = (error: ToolrailError) => {
      refusals++;
      if (refusals < parts.maxRefusals && error.code !== "tool-changed") phase = "open";
      return toBlocked(error);
    };
    if (parts.relist) await relistServer(host, request.tool);
    const verdict = await admitPlanned(parts.rules, request, options);
    if (verdict.type === "refuse") return refuse(verdict.error);
    const { tool, call } = verdict;
    const unlisted = parts.relist ? listProblem(host, tool) : undefined;
    const stale = unlisted ?? toolChange(tool, known.hashOf(tool));
    if (stale) return refuse(stale);
    if (verdict.type === "ask") {
      phase = "pending";
      pending = call;
      return toAsked(call);
    }
    if (!(await parts.store.claim(id))) return toBlocked(stepUsed());
    const late = toolChange(
      host.find({ server: tool.server, name: tool.name }),
      definitionHash(tool),
    );
    return late ? toBlocked(late) : make(call, tool, options);
  };

  const make = async (call: PendingCall, tool: HostTool, options: CallOptions) => {
    try {
      const hop = await host.call(
        { tool: { server: tool.server, name: tool.name }, arguments: call.arguments },
        { ...options, origin: call.origin, runId: id },
      );
      return judgeHop(hop, host.nextHop);
    } catch (cause) {
      const error = asError(cause);
      return toBlocked(error, MAYBE_SENT.has(chainEndOf(error.code)));
    }
  };

  const query: GuardedQuery = {
    id,
    get state() {
      return { id, phase, refusals, tools: known.hashes(), ...(pending && { pending }) };
    },
    async run(plan, options) {
      try {
        const checked = toPlan(plan);
        if (checked.type === "call_tool") return await query.call(toRequest(checked), options);
        return { verdict: "allow", code: "needs-more-info", message: checked.answer };
      } catch (cause) {
        return toBlocked(asError(cause));
      }
    },
    async call(request, options = {}) {
      if (phase !== "open") return toBlocked(stepUsed());
      return settle(attempt(request, { origin: { by: "model" }, ...options }));
    },
    async resume(decision, options = {}) {
      if (phase !== "pending" || !pending) return toBlocked(stepUsed());
      const { server, tool, arguments: args, origin } = pending;
      if (decision !== "approve") {
        phase = "spent";
        pending = undefined;
        const why = decision?.deny ?? 'the answer was not "approve"';
        const message = `${server}.${tool} was not approved: ${why}`;
        return toBlocked(new ToolrailError("denied", message));
      }
      const request = { tool: { server, name: tool }, arguments: args };
      return settle(attempt(request, { ...options, origin, approved: true }));
    },
  };
  return query;
}

/** How a call ends that may have reached its server; in any other way the door refused it. */
const MAYBE_SENT: ReadonlySet<ChainEnd> = new Set(["failed", "aborted"] as const);

async function settle(outcome: Promise<GuardOutcome>): Promise<GuardOutcome> {
  try {
    return await outcome;
  } catch (cause) {
    return toBlocked(asError(cause));
  }
}

function asError(cause: unknown): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  return new ToolrailError("callback-failed", `The guarded call was broken off: ${cause}`, {
    cause,
  });
}

function stepUsed(): ToolrailError {
  const message = "This query has had its one call: answer with what is known.";
  return new ToolrailError("step-used", message);
}
