import type { Tool } from "../call/tool.ts";
import { createOptionCheck, isObject, type OptionTable } from "../check-options.ts";
import { invalidOptions, ToolrailError, toToolrailError } from "../errors.ts";
import type { Decision, PendingCall } from "../result/hop.ts";
import { modelView } from "../result/model-view.ts";
import { type GuardOutcome, toBlocked } from "./outcome.ts";
import { parsePlan } from "./plan.ts";
import { type GuardedQuery, shutQuery } from "./query.ts";
import type { SingleStep } from "./single-step.ts";
import { checkSummary, noSummary, type SummaryVerdict } from "./summary.ts";

/** A policy's verdict on a query, before any tool is looked up. @inline */
type QueryVerdict = "allow" | { readonly deny: string };

/** A query, and the functions that plan, decide and summarize. */
export interface AnswerOptions {
  /** The user's question, unchanged. */
  readonly query: string;
  /** Asks the planner, whose answer must be one JSON object: see `plannerPrompt` and `parsePlan`. */
  readonly plan: (query: string, tools: readonly Tool[]) => string | PromiseLike<string>;
  /** Decides whether the query is answered at all. An error is a denial. Default: allow. */
  readonly policy?: (query: string) => QueryVerdict | PromiseLike<QueryVerdict>;
  /** Asks a person to approve a call. By default the outcome is `needs-approval`, and `query.resume` continues it. */
  readonly approve?: (call: PendingCall) => Decision | PromiseLike<Decision>;
  /** Asks a model to summarize the typed value: see `summaryPrompt`. Default: no summary. */
  readonly summarize?: (value: unknown) => unknown;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

/** The outcome of a query, and its summary. */
export interface QueryAnswer {
  /** The query, for `resume` if the outcome is `needs-approval`. */
  readonly query: GuardedQuery;
  readonly outcome: GuardOutcome;
  /** The checked summary, if `summarize` was given. Only its grounded claims may be shown. */
  readonly summary?: SummaryVerdict;
}

const KINDS: OptionTable<AnswerOptions> = {
  query: "text",
  plan: "function",
  policy: "function",
  approve: "function",
  summarize: "function",
  signal: "signal",
};
const checkOptions = /* @__PURE__ */ createOptionCheck("answerQuery", KINDS, { isRequired: true });

/** Answers a query: policy, plan, checks, one call, typed result, grounded summary. Rejects only with `invalid-options`. */
export async function answerQuery(guard: SingleStep, options: AnswerOptions): Promise<QueryAnswer> {
  checkOptions(options);
  const { query: text, plan, policy, approve, summarize, signal } = options;
  const refused = await checkQuery(text, policy);
  if (refused) return { query: guard.startQuery(shutQuery()), outcome: toBlocked(refused) };
  await guard.host.refresh().catch(() => {}); // The errors are in the host's `problems`.
  const query = guard.startQuery();
  try {
    let outcome = await query.run(parsePlan(await plan(text, guard.tools)), { signal });
    if (outcome.verdict === "ask" && approve) {
      outcome = await query.resume(await approve(outcome.pending), { signal });
    }
    const summary = summarize && (await summarizeOutcome(outcome, summarize));
    return { query, outcome, ...(summary && { summary }) };
  } catch (cause) {
    return { query, outcome: toBlocked(toToolrailError(cause, "The query failed")) };
  }
}

/** Asks the policy about a query, before any tool is looked up. Returns the refusal, if there is one. Rejects if it is no text. */
export async function checkQuery(
  query: string,
  policy: AnswerOptions["policy"],
): Promise<ToolrailError | undefined> {
  if (typeof query !== "string") throw invalidOptions("The query of a guard must be a text.");
  try {
    const verdict = policy ? await policy(query) : "allow";
    if (verdict === "allow") return undefined;
    const reason = typeof verdict?.deny === "string" ? verdict.deny : "the policy did not allow it";
    return new ToolrailError("denied", `The query was refused: ${reason}`);
  } catch (cause) {
    const message = "The query was refused because its policy threw an error (see `cause`).";
    return new ToolrailError("denied", message, { cause });
  }
}

/** Asks for a summary of a typed result that a model may read, and checks it. Other outcomes have none. */
export async function summarizeOutcome(
  outcome: GuardOutcome,
  summarize: (value: unknown) => unknown,
): Promise<SummaryVerdict | undefined> {
  if (!isObject(outcome)) throw invalidOptions("summarizeOutcome takes the outcome of a query.");
  if (outcome.code !== "complete" || modelView(outcome.hop).userOnly) return undefined;
  try {
    const answer = await summarize(outcome.value);
    const summary: unknown = typeof answer === "string" ? JSON.parse(answer) : answer;
    return checkSummary(summary, outcome.hop.result.structuredContent);
  } catch (cause) {
    return noSummary(`No summary was made: ${cause}`);
  }
}
