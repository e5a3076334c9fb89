import { type Host, type SingleStep, ToolrailError, toSingleStep } from "@toolrail/core";
import { type GuardRun, readHistory, replyOf, startRun } from "./guard-run.ts";
import type {
  GuardableSettings,
  GuardedSettings,
  Hooks,
  SingleStepSettings,
  StepOptions,
  StepSettings,
} from "./guard-settings.ts";
import { guardModel } from "./guarded-model.ts";
import { createGuardedTools } from "./guarded-tools.ts";
import { createReplyModel, withoutRaw } from "./reply-model.ts";
import { composeApproval } from "./tool-approval.ts";

/**
 * Settings for `generateText`, `streamText` or `ToolLoopAgent` under the single-step guard: the tools are
 * those on the operator's list, and one call is made, whatever the model asks for. After it the model
 * may only answer; where it says nothing, or may not read the result, the user gets the tool's own
 * words. One query for each call of this function; an agent starts one for each of its runs. Throws
 * `invalid-options` where `tools` holds others: they would be a second way to act.
 */
export function withSingleStep<Settings extends GuardableSettings>(
  target: Host | SingleStep,
  settings: Settings,
): GuardedSettings<Settings> {
  const { singleStep = {}, stopWhen, prepareStep, prepareCall, toolApproval, ...rest } = settings;
  if ("tools" in settings && Object.keys(settings.tools ?? {}).length > 0) {
    throw new ToolrailError(
      "invalid-options",
      "withSingleStep brings the tools itself: leave out `tools`, or use createTools without a guard.",
    );
  }
  const guard = toSingleStep(target, singleStep);
  const own = { model: settings.model, stopWhen, prepareStep, toolApproval };
  const composed = {
    ...rest,
    ...compose(guard, singleStep, own),
    async prepareCall(options: object) {
      const given = { ...options, ...own };
      const prepared = {
        ...given,
        ...((await prepareCall?.(given as never)) as object | undefined),
      };
      return { ...prepared, ...compose(guard, singleStep, prepared) };
    },
  };
  return composed as unknown as GuardedSettings<Settings>;
}

/** The tools and hooks of one run, around the caller's own. */
function compose(guard: SingleStep, options: SingleStepSettings, own: Hooks) {
  const { model, stopWhen, prepareStep, toolApproval } = own;
  const run = startRun(guard, options.queryId);
  const tools = createGuardedTools(guard, run, options);
  const conditions = stopWhen === undefined ? [] : [stopWhen].flat();
  return {
    tools,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, tools) }),
    async prepareStep(step: StepOptions) {
      const prepared = ((await prepareStep?.(step as never)) ?? {}) as StepSettings;
      return prepare(guard, run, step, { ...prepared, model: prepared.model ?? model });
    },
    async stopWhen(state: { readonly steps: readonly unknown[] }) {
      if (state.steps.length >= guard.maxRefusals + MORE_STEPS) return true;
      const answers = await Promise.all(conditions.map((stop) => stop(state as never)));
      return answers.some(Boolean);
    },
  };
}

/** The call itself, the answer to it, and what is said where there is none. */
const MORE_STEPS = 3;

function prepare(
  guard: SingleStep,
  run: GuardRun,
  { messages, steps }: StepOptions,
  { model, ...own }: StepSettings,
): StepSettings {
  readHistory(guard, run, messages);
  // A call that the SDK itself refuses, as of a tool that it was not given, is counted here alone.
  run.isOver ||= run.query.state.phase !== "open" || steps.length > guard.maxRefusals;
  const told = withoutRaw(own.messages ?? messages);
  const step = { ...own, ...(told !== messages && { messages: told }) };
  const guarded = guardModel(model, {
    callsLeft: () => (run.isOver ? 0 : 1),
    reply: () => (run.isOver || run.outcome ? replyOf(run).text : undefined),
  });
  if (!run.isOver) return { ...step, model: guarded };
  const last = { ...step, activeTools: [], toolChoice: "auto" };
  const { outcome } = run;
  const isUnreadable = outcome !== undefined && outcome.code !== "complete";
  if (run.isAsked || isUnreadable) {
    const { text, note } = replyOf(run);
    return { ...last, model: createReplyModel(text, note) };
  }
  run.isAsked = true;
  return { ...last, model: guarded };
}
