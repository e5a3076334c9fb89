import { notify, throwAborted } from "@toolrail/core/adapter";
import {
  type GuardOutcome,
  keepOutcome,
  keepResult,
  outcomeView,
  shutQuery,
} from "@toolrail/core/guard";
import { createSdkTools } from "../tools/sdk-tool.ts";
import { ofView, type ToolOutput } from "../tools/tool-output.ts";
import { type GuardRun, hasCalled } from "./guard-run.ts";
import type { SingleStepSettings } from "./guard-settings.ts";

/** The tools that a planner may choose from. The guard checks inputs itself, so that it counts each refusal. */
export function createGuardedTools(
  run: GuardRun,
  { scope, userText, context, onAsk, onOutcome }: SingleStepSettings,
) {
  const { guard, query } = run;
  return createSdkTools(guard.tools, {
    host: guard.host,
    scope,
    userText,
    context,
    onAsk,
    check: ({ request, options }) => query.check(request, options),
    async run({ toolCallId, request, messages, options }) {
      const isOver = hasCalled(messages, toolCallId);
      const asked = isOver ? guard.startQuery(shutQuery(query.id)) : query;
      const outcome = await asked.call(request, options);
      run.outcome = keepOutcome(run.outcome, outcome);
      await notify(onOutcome, outcome);
      throwAborted(outcome.code, options.signal);
      const hops = "hop" in outcome ? [outcome.hop] : [];
      const shown = outcomeView(await keepResult(guard.host, outcome, { scope }));
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
