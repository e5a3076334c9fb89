import {
  type CallOrigin,
  type CallRequest,
  type CheckedCall,
  type ToolCall,
  ToolrailError,
  type ToolrailErrorCode,
} from "@toolrail/core";
import {
  checkCallOptions,
  checkMaking,
  checkRequest,
  claimOnce,
  endByError,
  invalidOptions,
  needsApproval,
  toAnswered,
  toCallKey,
  toPending,
  toToolrailError,
} from "@toolrail/core/internal";
import { engineOf } from "@toolrail/core/plugin";
import { isJsonObject } from "@toolrail/json";
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
  const { store, pendingHopTtlMs, nextHop, isOnce, report, now, decideCall } = engineOf(host);
  const { id, expiresAtMs = now() + pendingHopTtlMs } = before;
  const key = `query:${id}`;
  const known = rememberTools(gate.tools, before);
  let phase = readPhase(before, now());

  const admit = (request: CallRequest, { origin = MODEL, ...options }: GuardedCallOptions) =>
    gate.admit(request, { options: { ...options, origin, runId: id, key }, known });

  /** Returns true if the query was claimed for the same call, which the host makes only once. */
  const isSame = async (claimed: unknown, call: ToolCall) =>
    isOnce(call.tool) && claimed === (await toCallKey(id, call));

  /** Claims a query for a call. Returns true once for each query in all processes, and again for the same call. */
  const claim = async (call?: ToolCall) => {
    const value = call ? await toCallKey(id, call) : "dropped";
    if (await claimOnce(store, { key, value, ttlMs: pendingHopTtlMs })) return true;
    return call !== undefined && (await isSame(await store.get(key), call));
  };

  /** Refuses a call if the query has made a different one, in an earlier run or another process. No person is asked about it. */
  const unlessClaimed = async (checked: CheckedCall): Promise<CheckedCall> => {
    if (checked.type === "refuse") return checked;
    const claimed = await store.get(key);
    if (claimed === undefined || (await isSame(claimed, checked.call))) return checked;
    return { type: "refuse", error: stepUsed() };
  };

  const reported = async (work: () => Promise<GuardOutcome>) => {
    const situation = { type: "guard", runId: id } as const;
    report?.({ ...situation, stage: "started", atMs: now() });
    const outcome = await settle(work);
    const { verdict, code } = outcome;
    report?.({ ...situation, stage: "ended", atMs: now(), verdict, code });
    return outcome;
  };

  /** Sets the phase before the first await, so that no other call can take the step until this one is made. */
  const attempt = async (request: CallRequest | CheckedCall, options: GuardedCallOptions) => {
    const refusals = phase.type === "spent" ? 0 : phase.refusals;
    phase = SPENT;
    /** Waits for a person: before the call or, after this error, before it is repeated. */
    const wait = (asked: ToolCall, error: ToolrailError): GuardOutcome => {
      const { tool, arguments: sent, written = sent, origin, changedFrom } = asked;
      const call = { server: tool.server, tool: tool.name, arguments: written, origin };
      const pending = toPending({ ...call, ...(changedFrom && { changedFrom }) }, error);
      phase = { type: "pending", refusals, call: pending };
      return { verdict: "ask", code: "needs-approval", message: error.message, pending };
    };
    const given = "type" in request ? request : await admit(request, options);
    const isOurs = given.type === "refuse" || (given.call.runId === id && gate.hasAdmitted(given));
    const checked: CheckedCall = isOurs ? given : { type: "refuse", error: notOurs() };
    if (checked.type === "ask") return wait(checked.call, needsApproval(checked));
    if (checked.type === "refuse") {
      const isOver = refusals + 1 >= MAX_REFUSALS || checked.error.code === "tool-changed";
      if (!isOver) phase = { type: "open", refusals: refusals + 1 };
    } else if (!(await claim(checked.call))) return toBlocked(stepUsed());
    try {
      const hop = await host.call(checked, { origin: MODEL, ...options, runId: id, key });
      return judgeHop(hop, await nextHop(hop, undefined, options));
    } catch (cause) {
      const error = toToolrailError(cause, FAILED);
      if (checked.type === "refuse") return toBlocked(error);
      const isWaiting = endByError(error) === "needs-approval";
      return isWaiting ? wait(checked.call, error) : toBlocked(error, maybeSent(error));
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
      const checked = await admit(request, options);
      return unlessClaimed(checked).catch((cause: unknown) => {
        return { type: "refuse", error: toToolrailError(cause, FAILED) };
      });
    },
    async call(request, options = {}) {
      checkMaking("query.call", { request, options });
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
    async resume(decision, options = {}) {
      checkCallOptions(options, "query.resume");
      if (phase.type !== "pending") return toBlocked(stepUsed());
      const waiting = phase;
      const { server, tool } = waiting.call;
      if (decision === "approve" || isChange(decision)) {
        phase = SPENT; // No other call can take the step while the change is checked.
        return reported(async () => {
          const { call, error } = await decideCall(waiting.call, { ...options, decision });
          const { arguments: args, origin } = call;
          if (error?.code === "needs-approval") {
            phase = { ...waiting, call };
            const { code, message } = error;
            return { verdict: "ask", code, message, pending: call };
          }
          if (error) throw error;
          const request = { tool: { server, name: tool }, arguments: args };
          phase = waiting;
          return attempt(request, { ...options, ...toAnswered(call, decision), origin });
        });
      }
      phase = SPENT;
      return settle(async () => {
        await claim(); // A state that was stored before the answer cannot be approved later.
        const { deny } = Object(decision) as { readonly deny?: string };
        const why = deny ?? 'the answer was not "approve"';
        const message = `${server}.${tool} was not approved: ${why}`;
        return toBlocked(new ToolrailError("denied", message));
      });
    },
    async toState() {
      return { id, phase, tools: await known.hashes(), expiresAtMs };
    },
  };
  return query;
}

function isChange(decision: unknown): boolean {
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
  return ["failed", "aborted", "needs-input"].includes(endByError(error));
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

function notOurs(): ToolrailError {
  return invalidOptions("The call was not checked by this query: call its `check` first.");
}
