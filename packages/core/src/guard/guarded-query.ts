import type { PendingCall } from "../chain/chain-result.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/door.ts";
import type { HostTool, ToolName } from "../host/tool.ts";
import { isJsonObject } from "../json.ts";
import { admitPlanned, type GuardRules, plannerTools } from "./admit-planned.ts";
import { toRequest } from "./check-plan.ts";
import { definitionHash } from "./fingerprint.ts";
import { type GuardOutcome, judgeHop, toBlocked } from "./guard-outcome.ts";
import { type Plan, toPlan } from "./plan.ts";
import type { QueryStore } from "./query-store.ts";

/** Where a query stands. Plain JSON, to be kept over a pause. */
export interface QueryState {
  readonly id: string;
  /** `open`: no call yet. `pending`: a call waits for approval. `spent`: no call will be made. */
  readonly phase: "open" | "pending" | "spent";
  readonly refusals: number;
  /** With `pending`: the call that is put to the person. */
  readonly pending?: PendingCall;
  /** SHA-256 of the tools as they were when the query began, by `server.tool`. */
  readonly tools?: { readonly [tool: string]: string };
}

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
  const seen = before.tools ? undefined : plannerTools(parts.rules);
  const isKnown = isQueryState(before);
  let phase: QueryState["phase"] = isKnown ? before.phase : "spent";
  let refusals = isKnown ? before.refusals : 0;
  let pending = isKnown ? before.pending : undefined;
  /** The hash of a tool when the query began. */
  const known = ({ id: name }: HostTool): string | undefined => {
    if (before.tools) return Object.hasOwn(before.tools, name) ? before.tools[name] : undefined;
    const tool = seen?.find((one) => one.id === name);
    return tool && definitionHash(tool);
  };

  /** From here to the call nothing else can take the step: the phase was set before the first await. */
  const attempt = async (request: CallRequest, options: CallOptions): Promise<GuardOutcome> => {
    phase = "spent";
    pending = undefined;
    const refuse = (error: ToolrailError) => {
      refusals++;
      if (refusals < parts.maxRefusals && error.code !== "tool-changed") phase = "open";
      return toBlocked(error);
    };
    await relist(parts, request.tool);
    const verdict = await admitPlanned(parts.rules, request, options);
    if (verdict.type === "refuse") return refuse(verdict.error);
    const { tool, call } = verdict;
    const stale = listProblem(parts, tool) ?? changed(tool, known(tool));
    if (stale) return refuse(stale);
    if (verdict.type === "ask") {
      phase = "pending";
      pending = call;
      const message = `${tool.id} needs the approval of a person before it is called.`;
      return { verdict: "ask", code: "needs-approval", message, pending: call };
    }
    if (!(await parts.store.claim(id))) return toBlocked(stepUsed());
    const late = changed(host.find({ server: tool.server, name: tool.name }), definitionHash(tool));
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
      return toBlocked(asError(cause), true);
    }
  };

  const query: GuardedQuery = {
    id,
    get state() {
      const tools = before.tools ?? hashesOf(seen ?? []);
      return { id, phase, refusals, tools, ...(pending && { pending }) };
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
        const message = `${server}.${tool} was not approved: ${decision.deny}`;
        return toBlocked(new ToolrailError("denied", message));
      }
      const request = { tool: { server, name: tool }, arguments: args };
      return settle(attempt(request, { ...options, origin, approved: true }));
    },
  };
  return query;
}

function hashesOf(tools: readonly HostTool[]): Record<string, string> {
  return Object.fromEntries(tools.map((tool) => [tool.id, definitionHash(tool)]));
}

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

/** Reads the list of the server that is about to be called, so that a change is seen before the call. */
async function relist({ rules, relist: isOn }: QueryParts, name: ToolName): Promise<void> {
  if (!isOn) return;
  try {
    await rules.host.refresh(rules.host.find(name).server);
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    // No such tool: the gates say so.
  }
}

/** A list that could not be read is no live list. */
function listProblem({ rules, relist: isOn }: QueryParts, tool: HostTool) {
  if (!isOn) return undefined;
  const failed = rules.host.problems.find(
    ({ server, code }) => server === tool.server && code === "list-failed",
  );
  return failed && new ToolrailError("server-unavailable", failed.message, { data: failed });
}

function changed(tool: HostTool, before: string | undefined): ToolrailError | undefined {
  if (before === definitionHash(tool)) return undefined;
  const message = `${tool.id} was changed since the query began, so it was not called. Ask again.`;
  return new ToolrailError("tool-changed", message);
}

/** Whoever kept the state may have lost part of it: then no call is made. */
function isQueryState({ phase, pending, refusals, tools }: QueryState): boolean {
  if (!Number.isSafeInteger(refusals) || refusals < 0) return false;
  if (phase === "pending") return isJsonObject(pending) && isJsonObject(tools);
  return phase === "open" || phase === "spent";
}
