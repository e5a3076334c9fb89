import { createOptionCheck, notify, throwAborted } from "@toolrail/core/adapter";
import type { GuardedQuery, GuardOutcome, SingleStep, SingleStepOptions } from "@toolrail/guard";
import {
  GUARD_OPTIONS,
  keepOutcome,
  keepResult,
  outcomeView,
  shutQuery,
} from "@toolrail/guard/adapter";
import { WHO } from "../tools/create-tools.ts";
import { createSdkTools } from "../tools/sdk-tool.ts";
import { ofView, type ToolOutput } from "../tools/tool-output.ts";
import type { ToolsOptions } from "../tools/types.ts";

/** How a run answers one query by one call at most. */
export interface SingleStepSettings
  extends SingleStepOptions,
    Pick<ToolsOptions, "conversation" | "context" | "userText" | "onAsk" | "changes"> {
  /**
   * An id that the runs of one query share, if an approval or a stop ends one and another goes on: they make one call.
   * Default: a query for each run.
   */
  readonly queryId?: string;
  /** Told of the call and of each refusal, before anybody sees its output. What it throws is ignored. */
  readonly onOutcome?: (outcome: GuardOutcome) => void | PromiseLike<void>;
}

/** Throws `invalid-options` for options of a guard that do not exist or are of the wrong kind. */
export const checkSingleStep = /* @__PURE__ */ createOptionCheck<SingleStepSettings>(
  "`singleStep`",
  {
    ...WHO,
    ...GUARD_OPTIONS,
    queryId: "text",
    onOutcome: "function",
  },
);

/** One run of the SDK under guard: the query, and what has become of it. */
export interface GuardRun {
  readonly guard: SingleStep;
  readonly query: GuardedQuery;
  /** The outcome of the call, or of the last refusal while there is none. */
  outcome: GuardOutcome | undefined;
  /** The call of this step that may be made, by its id: no person is asked about another. */
  chosen: string | undefined;
  /** The model was asked for an answer alone. */
  isAsked: boolean;
}

/** The tools that a planner may choose from. The guard checks inputs itself, so that it counts each refusal. */
export function createGuardedTools(run: GuardRun, settings: SingleStepSettings) {
  const { guard, query } = run;
  const { conversation, onOutcome } = settings;
  return createSdkTools(guard.tools, {
    ...settings,
    host: guard.host,
    asksAlways: true,
    async check({ toolCallId, request, options }) {
      const isOther = run.chosen !== undefined && run.chosen !== toolCallId;
      const asked = isOther ? guard.startQuery(shutQuery(query.id)) : query;
      const checked = await asked.check(request, options);
      if (checked.type !== "refuse") run.chosen ??= toolCallId;
      return checked;
    },
    async run({ request, checked, options }) {
      const outcome = await query.call(checked ?? request, options);
      run.outcome = keepOutcome(run.outcome, outcome);
      await notify(onOutcome, outcome);
      throwAborted(outcome.code, options.signal);
      const hops = "hop" in outcome ? [outcome.hop] : [];
      const shown = outcomeView(await keepResult(guard.host, outcome, { conversation }));
      return { ...ofView(shown, hops), ended: endOf(outcome) };
    },
  });
}

/** A guarded call as a chain of one call. */
function endOf(outcome: GuardOutcome): NonNullable<ToolOutput["ended"]> {
  if (outcome.verdict === "ask") return "needs-approval";
  if (outcome.verdict === "allow") return "complete";
  return outcome.called ? "failed" : "denied";
}
