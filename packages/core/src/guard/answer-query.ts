import type { PendingCall } from "../chain/chain-result.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "../host/call-request.ts";
import type { HostTool } from "../host/tool.ts";
import { modelView } from "../result/model-view.ts";
import { checkSummary, type SummaryVerdict } from "./grounding.ts";
import { type GuardOutcome, toBlocked } from "./guard-outcome.ts";
import type { GuardedQuery } from "./guarded-query.ts";
import { parsePlan } from "./plan.ts";
import type { SingleStep } from "./single-step.ts";

/** A policy's word on a query, before any tool is looked up. */
export type QueryVerdict = "allow" | { readonly deny: string };

export interface AnswerOptions {
  /** Asks the planner: its answer is to be one JSON object, see `parsePlan`. */
  readonly plan: (query: string, tools: readonly HostTool[]) => string | PromiseLike<string>;
  /** The policy gate for queries. Default: allow. What it throws is a denial. */
  readonly policy?: (query: string) => QueryVerdict | PromiseLike<QueryVerdict>;
  /** Asks a person about a call. Default: the outcome is `needs-approval`, and `query.resume` goes on. */
  readonly approve?: (call: PendingCall) => ApprovalDecision | PromiseLike<ApprovalDecision>;
  /** Asks a model for a summary of the typed value. Left out, there is none. */
  readonly summarize?: (query: string, value: unknown) => unknown;
  readonly signal?: AbortSignal;
}

/** What became of a query. */
export interface QueryAnswer {
  /** For `resume` in case of `needs-approval`. */
  readonly query: GuardedQuery;
  readonly outcome: GuardOutcome;
  /** There where a summary was asked for. Only its grounded claims may be shown. */
  readonly summary?: SummaryVerdict;
}

/**
 * The whole way of a query under guard: policy, discovery, plan, checks, one call, typed parsing,
 * grounded summary. Each step is also a function of its own. Never rejects.
 */
export async function answerQuery(
  guard: SingleStep,
  text: string,
  options: AnswerOptions,
): Promise<QueryAnswer> {
  const refused = await checkQuery(text, options.policy);
  if (!refused) await discoverTools(guard);
  const query = guard.startQuery();
  if (refused) return { query, outcome: toBlocked(refused) };
  const callOptions: CallOptions = { signal: options.signal };
  try {
    const plan = parsePlan(await options.plan(text, guard.tools));
    let outcome = await query.run(plan, callOptions);
    if (outcome.verdict === "ask" && options.approve) {
      outcome = await query.resume(await options.approve(outcome.pending), callOptions);
    }
    const summary = await summarizeOutcome(text, outcome, options.summarize);
    return { query, outcome, ...(summary && { summary }) };
  } catch (cause) {
    return { query, outcome: toBlocked(asError(cause, "The query was broken off")) };
  }
}

/** Puts a query to the policy, before anything is discovered or planned. Returns why it is refused. */
export async function checkQuery(
  text: string,
  policy: AnswerOptions["policy"],
): Promise<ToolrailError | undefined> {
  try {
    const verdict = policy ? await policy(text) : "allow";
    if (verdict === "allow") return undefined;
    const reason = typeof verdict?.deny === "string" ? verdict.deny : "the policy did not allow it";
    return new ToolrailError("query-refused", `The query was refused: ${reason}`);
  } catch (cause) {
    const message = `The query was refused, for its policy failed: ${cause}`;
    return new ToolrailError("query-refused", message, { cause });
  }
}

/**
 * Asks for a summary of an outcome whose value is typed, and checks it against that value. Of any other
 * outcome, and of one that is for the user alone, no model is asked: `undefined`.
 */
export async function summarizeOutcome(
  text: string,
  outcome: GuardOutcome,
  summarize: AnswerOptions["summarize"],
): Promise<SummaryVerdict | undefined> {
  if (!summarize || outcome.code !== "complete" || modelView(outcome.hop).userOnly) {
    return undefined;
  }
  const source = outcome.hop.result.structuredContent;
  try {
    const answer = await summarize(text, outcome.value);
    return checkSummary(typeof answer === "string" ? JSON.parse(answer) : answer, source);
  } catch (cause) {
    const problem = `There is no summary: ${cause}`;
    return { grounded: false, summary: { type: "summary", bullets: [] }, rejected: [], problem };
  }
}

/** Reads all lists again. A server that does not answer becomes a problem of the host. */
export async function discoverTools({ host }: SingleStep): Promise<void> {
  try {
    await host.refresh();
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
  }
}

function asError(cause: unknown, what: string): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  return new ToolrailError("callback-failed", `${what}: ${cause}`, { cause });
}
