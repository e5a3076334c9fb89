/** The single-step guard of a host for the Vercel AI SDK. @module */

import type { Host } from "@toolrail/core";
import {
  createOptionCheck,
  engineOf,
  invalidOptions,
  notify,
  type OptionTable,
  throwAborted,
} from "@toolrail/core/adapter";
import {
  createSingleStep,
  GUARD_OPTIONS,
  type GuardedQuery,
  type GuardOutcome,
  guardTurn,
  keepOutcome,
  keepResult,
  MAX_REFUSALS,
  openQuery,
  outcomeView,
  type SingleStep,
  type SingleStepOptions,
  shutQuery,
} from "@toolrail/core/guard";
import { addReply, createAnswerModel } from "../answer-model.ts";
import {
  type ComposedSettings,
  isAnyMet,
  markComposed,
  type RunSettings,
  refuseMistakes,
  type StepOptions,
  type StepSettings,
} from "../run-settings.ts";
import type { SdkTool } from "../sdk.ts";
import { composeApproval, describeApproval } from "../tools/approvals.ts";
import { asRecord, findCall, mapParts, readMark, toMark } from "../tools/messages.ts";
import { CALLER, type CallerOptions, createSdkTools } from "../tools/sdk-tool.ts";
import { type ToolOutput, withHops } from "../tools/tool-output.ts";

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

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`. Settings that are not named here pass unchanged. */
export interface GuardableSettings extends RunSettings {
  /** The operator's list and the other options of the guard. The SDK does not receive them. Default: no call is allowed. */
  readonly singleStep?: SingleStepSettings | undefined;
}

/** The caller's settings under guard. An agent starts a query for each of its runs in `prepareCall`. */
export type GuardedSettings<Settings> = ComposedSettings<
  Settings,
  Record<string, SdkTool<ToolOutput>>
> & {
  // The result has no type, so that it fits both majors.
  prepareCall(options: unknown): Promise<never>;
};

/**
 * Composes settings for `generateText`, `streamText` or `ToolLoopAgent` under the single-step guard. The tools are
 * those on the operator's list, and one call is made, whatever the model asks for. After it the model may only
 * answer. If it writes no text, or may not read the result, the user gets the tool's own text. Each call of this
 * function is one query. An agent starts a query for each of its runs. Throws `invalid-options` if `tools` has other
 * tools, since they would be a second way to act. A run whose tools were replaced later fails after the first
 * result that is not of the guard.
 */
export function withSingleStep<Settings extends GuardableSettings>(
  host: Host,
  settings: Settings,
): GuardedSettings<Settings> {
  engineOf(host);
  refuseMistakes(settings, { fn: "withSingleStep", own: "singleStep", options: SINGLE_STEP });
  const { singleStep, ...rest } = settings;
  checkSingleStep(singleStep);
  if (Object.keys(settings.tools ?? {}).length > 0) {
    throw invalidOptions(
      "withSingleStep adds the tools itself: leave out `tools`, or use createTools without a guard.",
    );
  }
  const { allow, contract } = singleStep ?? {};
  const guard = createSingleStep(host, { allow, contract });
  const prepareCall = async (options: object) => ({ ...options, ...startRun(guard, settings) });
  const composed = { ...rest, ...startRun(guard, settings), prepareCall };
  return composed as unknown as GuardedSettings<Settings>;
}

const SINGLE_STEP: OptionTable<SingleStepSettings> = {
  ...CALLER,
  ...GUARD_OPTIONS,
  queryId: "text",
  onOutcome: "function",
};

const checkSingleStep = /* @__PURE__ */ createOptionCheck<SingleStepSettings>(
  "`singleStep`",
  SINGLE_STEP,
);

/** Starts a query, and composes the settings of its run. */
function startRun(guard: SingleStep, settings: GuardableSettings) {
  const { model, stopWhen, prepareStep, toolApproval, singleStep = {} } = settings;
  const { queryId } = singleStep;
  const query = guard.startQuery(queryId === undefined ? undefined : openQuery(queryId));
  const run: GuardRun = {
    ...{ guard, query, outcome: undefined, chosen: undefined, isAsked: false },
    ...{ isShared: queryId !== undefined, isBegun: false },
    waited: [],
    answered: new Set(),
  };
  const tools = createGuardedTools(run, singleStep);
  return {
    tools,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, tools) }),
    prepareStep: markComposed(async (step: StepOptions) => {
      const prepared = ((await prepareStep?.(step)) ?? {}) as StepSettings;
      return prepareTurn(run, { ...prepared, model: prepared.model ?? model, step });
    }),
    stopWhen: (state: Pick<StepOptions, "steps">) => isAnyMet(stopWhen, state),
  };
}

interface GuardRun {
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
  /** True if runs may share the query, by its id. */
  readonly isShared: boolean;
  isBegun: boolean;
  /** The ids of the calls that a person was asked about. */
  readonly waited: string[];
}

/** Creates the tools of a planner. The guard checks their inputs itself, so that it counts each refusal. */
function createGuardedTools(run: GuardRun, settings: SingleStepSettings) {
  const { guard, query } = run;
  const { conversation, onOutcome } = settings;
  return createSdkTools(guard.tools, {
    ...settings,
    host: guard.host,
    isGuard: true,
    async check({ toolCallId, request, options }) {
      const isOther = run.chosen !== undefined && run.chosen !== toolCallId;
      const checkedQuery = isOther ? guard.startQuery(shutQuery(query.id)) : query;
      const checked = await checkedQuery.check(request, options);
      if (checked.type !== "refuse") run.chosen ??= toolCallId;
      if (checked.type === "ask") run.waited.push(toolCallId);
      return checked;
    },
    async run({ toolCallId, request, options, approval }) {
      run.answered.add(toolCallId);
      const asked = { request, options };
      const approved = approval && (await describeApproval(guard.host, asked, approval));
      const outcome = await query.call(request, { ...options, approved });
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

const REPLACED =
  "A tool answered that withSingleStep does not guard, so the run was stopped. Leave the `tools` as withSingleStep returns them.";

/**
 * Begins a run with the settings of a query. Throws if another run had them, unless this one goes on with a call that waited: it
 * would be answered with the result of the other, which may be of another user.
 */
function beginRun(run: GuardRun, messages: readonly unknown[]): void {
  const isAnswer = asRecord(messages.at(-1)).role !== "user";
  const goesOn = isAnswer && run.waited.some((toolCallId) => findCall(messages, toolCallId));
  if (run.isBegun && !run.isShared && !goesOn) throw invalidOptions(RUN_BEFORE);
  run.isBegun = true;
}

const RUN_BEFORE =
  "These settings of withSingleStep have run before, and are of one query: call withSingleStep again for each run. Give runs of one query the same `singleStep.queryId`.";

function prepareTurn(
  run: GuardRun,
  { step, model, ...prepared }: StepSettings & { readonly step: StepOptions },
): StepSettings {
  const { messages, steps } = step;
  if (steps.length === 0) beginRun(run, messages);
  const results = steps.flatMap(({ toolResults }) => toolResults);
  if (!results.every((result) => run.answered.has(String(asRecord(result).toolCallId)))) {
    throw invalidOptions(REPLACED);
  }
  run.chosen = undefined;
  // A call that the SDK refuses, for example of an unknown tool, is counted only here.
  const isOver = steps.length > MAX_REFUSALS;
  const turn = guardTurn(isOver ? { type: "spent" } : run.query.phase, run.outcome);
  const read = withoutReplies(prepared.messages ?? messages);
  const modelWithReply = addReply(model, turn.reply?.text);
  const settings = {
    ...prepared,
    model: modelWithReply,
    ...(read !== messages && { messages: read }),
  };
  if (turn.calls > 0) return settings;
  const last = { activeTools: [], toolChoice: "auto" };
  if (turn.reply && (run.isAsked || !turn.askModel)) {
    const { text, note } = turn.reply;
    const reply = { type: "text", text, providerMetadata: toMark({ note }) } as const;
    return { ...settings, ...last, model: createAnswerModel([reply]) };
  }
  run.isAsked = true;
  return { ...settings, ...last };
}

/** Replaces each reply that no model wrote by its note, so that no model reads a text meant for the user. */
function withoutReplies(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const { note } = readMark(part);
    return [note === undefined ? part : { type: "text", text: note }];
  });
}
