import type { PendingCall } from "../chain/chain-result.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/door.ts";
import type { HostTool, ToolName } from "../host/tool.ts";
import { admitPlanned, type GuardRules, plannerTools } from "./admit-planned.ts";
import { toRequest } from "./check-plan.ts";
import { definitionText } from "./fingerprint.ts";
import { type GuardOutcome, judgeHop, toBlocked } from "./guard-outcome.ts";
import { type Plan, toPlan } from "./plan.ts";
import type { QueryStore } from "./query-store.ts";

/** Where a query stands. Plain JSON, to be kept over a pause. */
export interface QueryState {
  readonly id: string;
  /** `open`: no call yet. `pending`: a call waits for approval. `spent`: no call will be made. */
  readonly phase: "open" | "pending" | "spent";
  readonly refusals: number;
  /** With `pending`: the call, and the definition of its tool that is put to the person. */
  readonly pending?: { readonly call: PendingCall; readonly definition: string };
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
  const seen = new Map(plannerTools(parts.rules).map((tool) => [tool.id, tool]));
  let state: QueryState = isQueryState(before) ? before : { id, phase: "spent", refusals: 0 };
  const spent = (): QueryState => ({ id, phase: "spent", refusals: state.refusals });

  /** From here to the call nothing else can take the step: the state was set before the first await. */
  const attempt = async (
    request: CallRequest,
    options: CallOptions,
    known: (tool: HostTool) => string | undefined,
  ): Promise<GuardOutcome> => {
    const { refusals } = state;
    state = spent();
    const refuse = (error: ToolrailError) => {
      const isOver = refusals + 1 >= parts.maxRefusals || error.code === "tool-changed";
      state = { id, phase: isOver ? "spent" : "open", refusals: refusals + 1 };
      return toBlocked(error);
    };
    await relist(parts, request.tool);
    const verdict = await admitPlanned(parts.rules, request, options);
    if (verdict.type === "refuse") return refuse(verdict.error);
    const { tool, call } = verdict;
    const stale = listProblem(parts, tool) ?? changed(tool, known(tool));
    if (stale) return refuse(stale);
    if (verdict.type === "ask") {
      state = {
        id,
        phase: "pending",
        refusals,
        pending: { call, definition: definitionText(tool) },
      };
      const message = `${tool.id} needs the approval of a person before it is called.`;
      return { verdict: "ask", code: "needs-approval", message, pending: call };
    }
    if (!(await parts.store.claim(id))) return toBlocked(stepUsed());
    const late = changed(host.find({ server: tool.server, name: tool.name }), definitionText(tool));
    if (late) return toBlocked(late);
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
      return state;
    },
    async run(plan, options) {
      try {
        const known = toPlan(plan);
        if (known.type === "call_tool") return await query.call(toRequest(known), options);
        return { verdict: "allow", code: "needs-more-info", message: known.answer };
      } catch (cause) {
        return toBlocked(asError(cause));
      }
    },
    async call(request, options = {}) {
      if (state.phase !== "open") return toBlocked(stepUsed());
      const known = ({ id: name }: HostTool) => {
        const tool = seen.get(name);
        return tool && definitionText(tool);
      };
      return settle(attempt(request, { origin: { by: "model" }, ...options }, known));
    },
    async resume(decision, options = {}) {
      const { pending } = state;
      if (state.phase !== "pending" || !pending) return toBlocked(stepUsed());
      const { server, tool, arguments: args, origin } = pending.call;
      if (decision !== "approve") {
        state = spent();
        const message = `${server}.${tool} was not approved: ${decision.deny}`;
        return toBlocked(new ToolrailError("denied", message));
      }
      const request = { tool: { server, name: tool }, arguments: args };
      const approved = { ...options, origin, approved: true };
      return settle(attempt(request, approved, () => pending.definition));
    },
  };
  return query;
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
  if (before === definitionText(tool)) return undefined;
  const message = `${tool.id} was changed since the query began, so it was not called. Ask again.`;
  return new ToolrailError("tool-changed", message);
}

/** Whoever kept the state may have lost part of it: then no call is made. */
function isQueryState({ phase, pending, refusals }: QueryState): boolean {
  if (!Number.isSafeInteger(refusals) || refusals < 0) return false;
  if (phase === "pending") return typeof pending?.definition === "string";
  return phase === "open" || phase === "spent";
}
