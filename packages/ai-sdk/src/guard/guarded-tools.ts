import { createOptionCheck, engineOf, notify, throwAborted } from "@toolrail/core/adapter";
import {
  GUARD_OPTIONS,
  type GuardedQuery,
  type GuardOutcome,
  keepOutcome,
  keepResult,
  outcomeView,
  type SingleStep,
  type SingleStepOptions,
  shutQuery,
} from "@toolrail/core/guard";
import { describeApproval } from "../tools/approvals.ts";
import { createSdkTools } from "../tools/sdk-tool.ts";
import { type ToolOutput, withHops } from "../tools/tool-output.ts";
import { CALLER, type CallerOptions } from "../tools/types.ts";

/** The options of `withSingleStep`: the operator's list, and the conversation and user of the call. */
export interface SingleStepSettings extends SingleStepOptions, CallerOptions {
  /**
   * An id that the runs of one query share, if one run ends for an approval or a stop and another continues. Together
   * they make one call. Default: each run is a new query.
   */
  readonly queryId?: string;
  /** Receives the outcome of the call and of each refusal, before its output is shown. An error of it becomes one warning. */
  readonly onOutcome?: (outcome: GuardOutcome) => void | PromiseLike<void>;
}

export const SINGLE_STEP: Parameters<typeof createOptionCheck<SingleStepSettings>>[1] = {
  ...CALLER,
  ...GUARD_OPTIONS,
  queryId: "text",
  onOutcome: "function",
};

export const checkSingleStep = /* @__PURE__ */ createOptionCheck<SingleStepSettings>(
  "`singleStep`",
  SINGLE_STEP,
);

export interface GuardRun {
  readonly guard: SingleStep;
  readonly query: GuardedQuery;
  /** The outcome of the call, or of the last refusal if there was no call. */
  outcome: GuardOutcome | undefined;
  /** The id of the call that this step may make. No person is asked about another. */
  chosen: string | undefined;
  /** The ids of the calls that the guard answered. */
  readonly answered: Set<string>;
  /** True if the model was asked only for an answer. */
  isAsked: boolean;
}

/** Creates the tools of a planner. The guard checks their inputs itself, so that it counts each refusal. */
export function createGuardedTools(run: GuardRun, settings: SingleStepSettings) {
  const { guard, query } = run;
  const { conversation, onOutcome } = settings;
  return createSdkTools(guard.tools, {
    ...settings,
    host: guard.host,
    asksAlways: true,
    async check({ toolCallId, request, options }) {
      const isOther = run.chosen !== undefined && run.chosen !== toolCallId;
      const checkedQuery = isOther ? guard.startQuery(shutQuery(query.id)) : query;
      const checked = await checkedQuery.check(request, options);
      if (checked.type !== "refuse") run.chosen ??= toolCallId;
      return checked;
    },
    async run({ options, ...call }) {
      run.answered.add(call.toolCallId);
      const approved = await describeApproval(guard.host, call, options);
      const outcome = await query.call(call.request, { ...options, approved });
      run.outcome = keepOutcome(run.outcome, outcome);
      await notify({ onOutcome }, outcome, engineOf(guard.host));
      throwAborted(outcome.code, options.signal);
      const hops = "hop" in outcome ? [outcome.hop] : [];
      const shown = outcomeView(await keepResult(guard.host, outcome, { conversation }));
      return { ...withHops(shown, hops), ended: toEnd(outcome) };
    },
  });
}

function toEnd(outcome: GuardOutcome): NonNullable<ToolOutput["ended"]> {
  if (outcome.verdict === "ask") return "needs-approval";
  if (outcome.verdict === "allow") return "complete";
  return outcome.called ? "failed" : "denied";
}
