import { z } from "zod";
import { definitionHash, needsApproval, ownerOf } from "../call/approval.ts";
import {
  type AdapterCallOptions,
  type CallOptions,
  type CallRequest,
  type CallVerdict,
  checkCallOptions,
  checkRequest,
  type ToolCall,
} from "../call/call-options.ts";
import { toCallKey } from "../call/once.ts";
import { askInTime } from "../call/store.ts";
import type { Tool } from "../call/tool.ts";
import { toPending } from "../chain/next-hop.ts";
import { ToolrailError, type ToolrailErrorCode, toToolrailError } from "../errors.ts";
import { engineOf } from "../host/engine.ts";
import { canonicalJson, isJsonObject } from "../json/json.ts";
import { jsonObject } from "../json/shape.ts";
import type { Decision, PendingCall } from "../result/hop.ts";
import type { GuardGate } from "./gate.ts";
import { type GuardOutcome, judgeHop, toBlocked } from "./outcome.ts";
import { type Plan, toPlan } from "./plan.ts";

/** The phase of a query. `refusals` counts the calls that were refused so far. */
export type QueryPhase =
  /** No call was made yet. */
  | { readonly type: "open"; readonly refusals: number }
  /** A call waits for a person. */
  | { readonly type: "pending"; readonly refusals: number; readonly call: PendingCall }
  /** No further call will be made. */
  | { readonly type: "spent" };

/** A query in the form to store during a pause. Plain JSON. */
export interface QueryState {
  readonly id: string;
  readonly phase: QueryPhase;
  /** The tools at the start of the query: SHA-256 hashes of their definitions, by `server.tool`. */
  readonly tools?: { readonly [tool: string]: string };
  /**
   * The end of the query, in milliseconds since the epoch, however often it is stored. Its call is remembered for that long at
   * least. Absent if the query is new.
   */
  readonly expiresAtMs?: number;
}

/** The options of a guarded call, as in `host.call`. By default the `origin` is a model. */
export type GuardedCallOptions = Omit<CallOptions, "key" | "follow">;

/** One query of a user, which may make one call. */
export interface GuardedQuery {
  readonly id: string;
  /** The current phase. It is `spent` while a call is running. */
  readonly phase: QueryPhase;
  /**
   * Checks a call by the rules of the guard and of the host, without making or counting it. Rejects only with `invalid-options`,
   * for unknown options.
   */
  check(request: CallRequest, options?: GuardedCallOptions): Promise<CallVerdict>;
  /**
   * Makes the call of this query, or returns the refusal. Of several calls at once, one is considered. Rejects as `check` does.
   */
  call(request: CallRequest, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Carries out a plan. Rejects as `check` does. */
  run(plan: Plan, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Makes or drops the call that waits for approval. Rejects as `check` does. */
  resume(decision: Decision, options?: GuardedCallOptions): Promise<GuardOutcome>;
  /** Returns the query as JSON, for `startQuery` after a pause. Store it safe from changes by others. */
  toState(): Promise<QueryState>;
}

/** The number of refusals after which a query ends. */
export const MAX_REFUSALS = 3;

const SPENT: QueryPhase = { type: "spent" };
const FAILED = "The guarded call failed";

/** Creates the state of a new query with an id of the caller. Runs with the same id share one call, for `limits.approvalTtlMs`. */
export function openQuery(id: string): QueryState {
  return { id, phase: { type: "open", refusals: 0 } };
}

/** Creates the state of a query that may call nothing. */
export function shutQuery(id = ""): QueryState {
  return { id, phase: SPENT };
}

/** Starts a new query, or continues one by its state. */
export function createGuardedQuery(gate: GuardGate, given?: QueryState): GuardedQuery {
  const { host } = gate;
  const engine = engineOf(host);
  const { store, approvalTtlMs, now, newId } = engine;
  const state = given ?? openQuery(newId());
  const { id, expiresAtMs = now() + approvalTtlMs } = state;
  /** False while nobody else can have the id, so that the store need not know of the call. */
  let isShared = given !== undefined;
  const tools =
    state.tools ?? Object.fromEntries(gate.tools.map((tool) => [tool.id, definitionHash(tool)]));
  const isKnown = (tool: Tool) => tools[tool.id] === definitionHash(tool);
  let phase = readPhase(state, now());

  /** Names the one call of this query. The same id in another conversation, or of another user, is another query. */
  const toKey = (by: Pick<CallOptions, "conversation" | "context">) => {
    const { user, conversation } = ownerOf(by);
    return `query:${canonicalJson([id, user, conversation])}`;
  };
  const toOptions = ({
    origin = { by: "model" },
    ...given
  }: GuardedCallOptions): AdapterCallOptions => {
    const own = { origin, runId: id, ...(isShared && { key: toKey(given) }) };
    return { ...given, ...own, gate: (call) => gate.judge(call, isKnown) };
  };

  /** Checks a call. It is refused if the query has made another one, in an earlier run or process. No person is asked about it. */
  const check = async (request: CallRequest, options: CallOptions): Promise<CallVerdict> => {
    const verdict = await gate.admit(request, options);
    if (verdict.type === "refuse" || !isShared) return verdict;
    const claimed = await askInTime(() => store.get(toKey(verdict.call)), options.signal);
    if (claimed === undefined || claimed === toCallKey(id, verdict.call)) return verdict;
    return { type: "refuse", error: stepUsed() };
  };

  /** Claims a query for a call. Returns true once for each query in all processes, and again for the same call. */
  const claim = async (call: ToolCall) => {
    if (!isShared) return true;
    const [key, value] = [toKey(call), toCallKey(id, call)];
    const isOurs = await askInTime(() => store.claim(key, value, approvalTtlMs), call.signal);
    return isOurs || (await askInTime(() => store.get(key), call.signal)) === value;
  };

  const decide = async (request: CallRequest, options: AdapterCallOptions, before: QueryPhase) => {
    const refusals = before.type === "spent" ? 0 : before.refusals;
    const wait = (call: PendingCall, error: ToolrailError): GuardOutcome => {
      const pending = toPending(call, error);
      phase = { type: "pending", refusals, call: pending };
      return { verdict: "ask", code: "needs-approval", message: error.message, pending };
    };
    const verdict = await check(request, options);
    if (verdict.type === "ask") {
      const { tool, arguments: sent, written = sent, origin, conversation } = verdict.call;
      const call = { server: tool.server, tool: tool.name, arguments: written, origin };
      return wait({ ...call, ...(conversation && { conversation }) }, needsApproval(verdict));
    }
    if (verdict.type === "refuse") {
      const { error } = verdict;
      const refused: AdapterCallOptions = { ...options, gate: () => error };
      await host.call(request, refused).catch(() => {}); // It reports the refusal.
      const isStillAsked = ToolrailError.isInstance(error, "needs-approval");
      if (before.type === "pending" && isStillAsked) return wait(before.call, error);
      const isOver = refusals + 1 >= MAX_REFUSALS || error.code === "tool-changed";
      if (!isOver) phase = { type: "open", refusals: refusals + 1 };
      return toBlocked(error);
    }
    if (!(await claim(verdict.call))) return toBlocked(stepUsed());
    let isSent = false;
    const onSend = () => {
      isSent = true;
    };
    try {
      const sending: AdapterCallOptions = { ...options, onSend };
      const hop = await host.call(request, sending);
      return judgeHop(hop, await engine.nextHop(hop, options));
    } catch (cause) {
      const error = toToolrailError(cause, FAILED);
      const isSeen = isSent && !NOT_SEEN.includes(error.code);
      return toBlocked(error, isSeen || MADE_BEFORE.includes(error.code));
    }
  };

  /** Reports an outcome, also the refusal of a further call: a planner that tries again is seen. */
  const reportEnd = (outcome: GuardOutcome): GuardOutcome => {
    const { verdict, code } = outcome;
    engine.report({ type: "guard", runId: id, stage: "ended", atMs: now(), verdict, code });
    return outcome;
  };

  /** Sets the phase before the first await, so that no other call can take the step until this one is made. */
  const attempt = async (request: CallRequest, given: GuardedCallOptions) => {
    const before = phase;
    phase = SPENT;
    engine.report({ type: "guard", runId: id, stage: "started", atMs: now() });
    return reportEnd(await settle(async () => decide(request, toOptions(given), before)));
  };

  const query: GuardedQuery = {
    id,
    get phase() {
      return phase;
    },
    async check(request, options = {}) {
      checkRequest("query.check", { request, options });
      if (phase.type !== "open") return { type: "refuse", error: stepUsed() };
      try {
        return await check(request, toOptions(options));
      } catch (cause) {
        return { type: "refuse", error: toToolrailError(cause, FAILED) };
      }
    },
    async call(request, options = {}) {
      checkRequest("query.call", { request, options });
      return phase.type === "open" ? attempt(request, options) : reportEnd(toBlocked(stepUsed()));
    },
    async run(plan, options) {
      checkCallOptions(options, "query.run");
      return settle(async () => {
        const checked = toPlan(plan);
        if (checked.type === "final_answer")
          return { verdict: "allow", code: "needs-more-info", message: checked.answer };
        const { server, tool: name, arguments: args } = checked;
        const tool = server === undefined ? name : { server, name };
        return query.call({ tool, arguments: args }, options);
      });
    },
    async resume(decision, given = {}) {
      checkCallOptions(given, "query.resume");
      if (phase.type !== "pending") return reportEnd(toBlocked(stepUsed()));
      const { server, tool, arguments: args, origin, binding, conversation } = phase.call;
      const options = { conversation, ...given };
      const { approve, deny: reason = 'the answer was not "approve"' } = Object(decision);
      const changes: unknown = Object(approve).arguments;
      if (decision === "approve" || isJsonObject(changes)) {
        const request = { tool: { server, name: tool }, arguments: args };
        const how = { ...options, origin, approved: binding };
        return attempt(request, isJsonObject(changes) ? { ...how, changes } : how);
      }
      phase = SPENT;
      return settle(async () => {
        // A state that was stored before the answer cannot be approved later.
        await engine.deny(binding ?? "", { ...options, tool: { id: `${server}.${tool}` } });
        const message = `${server}.${tool} was not approved: ${reason}`;
        return toBlocked(new ToolrailError("denied", message));
      });
    },
    async toState() {
      isShared = true;
      return { id, phase, tools, expiresAtMs };
    },
  };
  return query;
}

const refusals = /* @__PURE__ */ z.int().min(0);
/** The states of a query that can make a call, as far as a store may have lost parts of them. */
const STATE = /* @__PURE__ */ z.union([
  z.object({ phase: z.object({ type: z.literal("open"), refusals }) }),
  z.object({
    phase: z.object({ type: z.literal("pending"), refusals, call: jsonObject }),
    tools: jsonObject,
  }),
]);

/** Reads the phase of a stored state. The query is spent if part of the state was lost, or if it has expired. */
function readPhase(state: QueryState, nowMs: number): QueryPhase {
  const { phase, expiresAtMs = Number.POSITIVE_INFINITY } = state;
  return nowMs < expiresAtMs && STATE.safeParse(state).success ? phase : SPENT;
}

/** The errors of a call that another run has made, or may have. */
const MADE_BEFORE: readonly ToolrailErrorCode[] = [
  "claimed-elsewhere",
  "outcome-unknown",
  "protocol",
  "malformed-result",
  "needs-input",
];
/** The errors of a request that its server has not seen. */
const NOT_SEEN: readonly ToolrailErrorCode[] = ["server-unavailable", "needs-sign-in"];

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
