import {
  createSingleStep,
  type Host,
  type SingleStep,
  type SingleStepOptions,
  ToolrailError,
} from "@toolrail/core";
import {
  createGuardedTools,
  type GuardRun,
  type GuardRunOptions,
  readHistory,
  replyOf,
  startRun,
} from "./guard-run.ts";
import { guardModel } from "./guarded-model.ts";
import { createReplyModel, type ReplyModel, withoutRaw } from "./reply-model.ts";
import type { SdkTool } from "./sdk-types.ts";
import { composeApproval } from "./tool-approval.ts";
import type { ToolOutput } from "./tool-output.ts";

export interface SingleStepSettings extends SingleStepOptions, GuardRunOptions {
  /** An id that the runs of one query share, where an approval ends one and begins the next. */
  readonly queryId?: string;
}

/** What the SDK tells `prepareStep`; each major tells more. */
interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly unknown[];
}

interface StepSettings {
  readonly model?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions ask for more than we tell their types.
type Condition = {
  stop(state: { readonly steps: never[] }): boolean | PromiseLike<boolean>;
}["stop"];

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`; those that are not named here pass. */
export interface GuardableSettings {
  readonly model: unknown;
  readonly stopWhen?: Condition | readonly Condition[] | undefined;
  prepareStep?(options: never): unknown;
  prepareCall?(options: never): unknown;
  /** Of `ai` 7. */
  readonly toolApproval?: unknown;
  /** The operator's list and the rest of the guard: it does not reach the SDK. Left out, nothing is allowed. */
  readonly singleStep?: SingleStepSettings | undefined;
}

type Composed = "singleStep" | "stopWhen" | "prepareStep" | "prepareCall";

/** The caller's settings under guard. */
export type GuardedSettings<Settings> = Omit<Settings, Composed> & {
  tools: Record<string, SdkTool<ToolOutput>>;
  stopWhen(state: { readonly steps: readonly unknown[] }): Promise<boolean>;
  prepareStep(options: StepOptions): Promise<{
    model?: ReplyModel;
    activeTools?: never[];
    toolChoice?: "auto";
    messages?: never[];
  }>;
  prepareCall(options: unknown): Promise<never>;
};

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
  const guard = "admit" in target ? target : createSingleStep(target, singleStep);
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

/** The caller's own hooks. */
type Hooks = {
  [hook in "model" | "stopWhen" | "prepareStep" | "toolApproval"]?:
    | GuardableSettings[hook]
    | undefined;
};

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
