import { needsApproval } from "../call/approval.ts";
import { checkCallOptions, checkRequest } from "../call/check-call-options.ts";
import { toCallKey } from "../call/once.ts";
import { endByError, toPending } from "../chain/chain-end.ts";
import { ToolrailError, type ToolrailErrorCode, toToolrailError } from "../errors.ts";
import { engineOf } from "../host/host-engine.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../json/json.ts";
import type { PendingCall } from "../result/chain-result.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { CallOptions, CallRequest, CallVerdict } from "../types/call-options.ts";
import type { ToolCall } from "../types/tool-call.ts";
import type { GuardGate } from "./gate.ts";
import { judgeHop, toBlocked } from "./outcome.ts";
import { toPlan } from "./plan.ts";
import { MAX_REFUSALS, readPhase, rememberTools } from "./query-state.ts";
import type {
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryPhase,
  QueryState,
} from "./types.ts";

export function createGuardedQuery(gate: GuardGate, before: QueryState): GuardedQuery {
  const { host } = gate;
  const { store, approvalTtlMs, nextHop, report, now, deny, ownerOf } = engineOf(host);
  const { id, expiresAtMs = now() + approvalTtlMs } = before;
  const known = rememberTools(gate.tools, before);
  let phase = readPhase(before, now());

  /** Names the one call of this query. The same id in another conversation, or of another user, is another query. */
  const toKey = (by: Pick<CallOptions, "conversation" | "context">) => {
    const { user, conversation } = ownerOf(by);
    return `query:${canonicalJson([id, user, conversation])}`;
  };
  const toOptions = async (given: GuardedCallOptions): Promise<CallOptions> => {
    const { origin = MODEL, ...options } = given;
    const key = toKey(options);
    return { ...options, origin, runId: id, key, gate: gate.gateOf(known) };
  };

  /** Claims a query for a call. Returns true once for each query in all processes, and again for the same call. */
  const claim = async (call: ToolCall) => {
    const key = toKey(call);
    const value = toCallKey(id, call);
    if (await store.claim(key, value, approvalTtlMs)) return true;
    return (await store.get(key)) === value;
  };

  /** Refuses a call if the query has made a different one, in an earlier run or another process. No person is asked about it. */
  const unlessClaimed = async (verdict: CallVerdict): Promise<CallVerdict> => {
    if (verdict.type === "refuse") return verdict;
    const claimed = await store.get(toKey(verdict.call));
    if (claimed === undefined || claimed === toCallKey(id, verdict.call)) return verdict;
    return { type: "refuse", error: stepUsed() };
  };

  const reported = async (work: () => Promise<GuardOutcome>) => {
    const situation = { type: "guard", runId: id } as const;
    report({ ...situation, stage: "started", atMs: now() });
    const outcome = await settle(work);
    const { verdict, code } = outcome;
    report({ ...situation, stage: "ended", atMs: now(), verdict, code });
    return outcome;
  };

  /** Sets the phase before the first await, so that no other call can take the step until this one is made. */
  const attempt = async (request: CallRequest, given: GuardedCallOptions) => {
    const refusals = phase.type === "spent" ? 0 : phase.refusals;
    const waiting = phase.type === "pending" ? phase : undefined;
    phase = SPENT;
    const options = await toOptions(given);
    const verdict = await unlessClaimed(await gate.admit(request, options));
    if (verdict.type === "ask") {
      const { tool, arguments: sent, written = sent, origin, conversation } = verdict.call;
      const call = { server: tool.server, tool: tool.name, arguments: written, origin };
      const error = needsApproval(verdict);
      const pending = toPending({ ...call, ...(conversation && { conversation }) }, error);
      phase = { type: "pending", refusals, call: pending };
      return toWaiting(pending, error);
    }
    if (verdict.type === "refuse") {
      const { error } = verdict;
      await host.call(request, { ...options, gate: () => error }).catch(() => {}); // It reports the refusal.
      if (waiting && ToolrailError.isInstance(error, "needs-approval")) {
        phase = { ...waiting, call: toPending(waiting.call, error) };
        return toWaiting(phase.call, error);
      }
      const isOver = refusals + 1 >= MAX_REFUSALS || error.code === "tool-changed";
      if (!isOver) phase = { type: "open", refusals: refusals + 1 };
      return toBlocked(error);
    }
    if (!(await claim(verdict.call))) return toBlocked(stepUsed());
    try {
      const hop = await host.call(request, options);
      return judgeHop(hop, await nextHop(hop, undefined, options));
    } catch (cause) {
      const error = toToolrailError(cause, FAILED);
      return toBlocked(error, maybeSent(error));
    }
  };

  const query: GuardedQuery = {
    id,
    get phase() {
      return phase;
    },
    async check(request, options = {}) {
      checkRequest("query.check", { request, options });
      if (phase.type !== "open") return { type: "refuse", error: stepUsed() };
      const verdict = await gate.admit(request, await toOptions(options));
      return unlessClaimed(verdict).catch((cause: unknown) => {
        return { type: "refuse", error: toToolrailError(cause, FAILED) };
      });
    },
    async call(request, options = {}) {
      checkRequest("query.call", { request, options });
      if (phase.type !== "open") return toBlocked(stepUsed());
      return reported(() => attempt(request, options));
    },
    async run(plan, options) {
      checkCallOptions(options, "query.run");
      return settle(async () => {
        const checked = toPlan(plan);
        if (checked.type === "final_answer") {
          return { verdict: "allow", code: "needs-more-info", message: checked.answer };
        }
        const { server, tool: name, arguments: args } = checked;
        const tool = server === undefined ? name : { server, name };
        return query.call({ tool, arguments: args }, options);
      });
    },
    async resume(decision, given = {}) {
      checkCallOptions(given, "query.resume");
      if (phase.type !== "pending") return toBlocked(stepUsed());
      const { server, tool, arguments: args, origin, binding, conversation } = phase.call;
      const options = { conversation, ...given };
      if (decision === "approve" || isChange(decision)) {
        const changes = decision === "approve" ? undefined : decision.approve.arguments;
        const request = { tool: { server, name: tool }, arguments: args };
        return reported(() => attempt(request, { ...options, origin, approved: binding, changes }));
      }
      phase = SPENT;
      return settle(async () => {
        const { deny: reason = 'the answer was not "approve"' } = Object(decision);
        // A state that was stored before the answer cannot be approved later.
        await deny(binding ?? "", { ...options, tool: { id: `${server}.${tool}` } });
        const message = `${server}.${tool} was not approved: ${reason}`;
        return toBlocked(new ToolrailError("denied", message));
      });
    },
    async toState() {
      return { id, phase, tools: known.hashes(), expiresAtMs };
    },
  };
  return query;
}

function toWaiting(pending: PendingCall, { message }: ToolrailError): GuardOutcome {
  return { verdict: "ask", code: "needs-approval", message, pending };
}

function isChange(
  decision: unknown,
): decision is { readonly approve: { readonly arguments: JsonObject } } {
  const { approve } = isJsonObject(decision) ? decision : {};
  return isJsonObject(approve) && isJsonObject(approve.arguments);
}

const SPENT: QueryPhase = { type: "spent" };
const MODEL: CallOrigin = { by: "model" };
const FAILED = "The guarded call failed";

const NOT_SENT: readonly ToolrailErrorCode[] = [
  "tool-changed",
  "invalid-options",
  "server-unavailable",
  "needs-sign-in",
];

/** Returns true if an accepted call that failed with this error may have reached its server. */
function maybeSent(error: ToolrailError): boolean {
  const { code } = error;
  if (NOT_SENT.includes(code)) return false;
  return ["failed", "aborted"].includes(endByError(error));
}

async function settle(work: () => Promise<GuardOutcome>): Promise<GuardOutcome> {
  try {
    return await work();
  } catch (cause) {
    return toBlocked(toToolrailError(cause, FAILED));
  }
}

function stepUsed(): ToolrailError {
  const message = "This query may make no further call: answer with what is known.";
  return new ToolrailError("step-used", message);
}
