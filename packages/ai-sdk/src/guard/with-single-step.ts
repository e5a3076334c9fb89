import { type Host, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { createSingleStep, guardTurn, MAX_REFUSALS, openQuery } from "@toolrail/core/guard";
import { isJsonObject } from "@toolrail/core/json";
import { createAnswerModel } from "../answer-model.ts";
import { COMPOSED, refuseMistakes } from "../chain/chaining-settings.ts";
import type { ComposedSettings, RunSettings, StepOptions, StepSettings } from "../run-settings.ts";
import type { SdkTool } from "../sdk-types.ts";
import { composeApproval } from "../tools/compose-approval.ts";
import { readMark, toMark } from "../tools/marks.ts";
import { asRecord, mapParts } from "../tools/messages.ts";
import type { ToolOutput } from "../tools/tool-output.ts";
import { addReply } from "./add-reply.ts";
import {
  checkSingleStep,
  createGuardedTools,
  type GuardRun,
  SINGLE_STEP,
  type SingleStepSettings,
} from "./guarded-tools.ts";

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
  if (!isJsonObject(settings)) {
    throw new ToolrailError(
      "invalid-options",
      "withSingleStep takes the settings of a run: { model, prompt, singleStep }.",
    );
  }
  const { singleStep, ...rest } = settings;
  checkSingleStep(singleStep ?? {});
  refuseMistakes(settings, { setting: "singleStep", options: SINGLE_STEP });
  if (Object.keys(settings.tools ?? {}).length > 0) {
    throw new ToolrailError(
      "invalid-options",
      "withSingleStep adds the tools itself: leave out `tools`, or use createTools without a guard.",
    );
  }
  const compose = createComposer(host, settings);
  const prepareCall = async (options: object) => ({ ...options, ...compose() });
  const composed = { ...rest, ...compose(), prepareCall };
  return composed as unknown as GuardedSettings<Settings>;
}

function createComposer(host: Host, settings: GuardableSettings) {
  const { model, stopWhen, prepareStep, toolApproval, singleStep = {} } = settings;
  const { queryId, allow, contract } = singleStep;
  const guard = createSingleStep(host, { allow, contract });
  return () => {
    const query = guard.startQuery(queryId === undefined ? undefined : openQuery(queryId));
    const run: GuardRun = {
      ...{ guard, query, outcome: undefined, chosen: undefined, isAsked: false },
      answered: new Set(),
    };
    const tools = createGuardedTools(run, singleStep);
    const prepare = async (step: StepOptions) => {
      const prepared = ((await prepareStep?.(step)) ?? {}) as StepSettings;
      return prepareTurn(run, { ...prepared, model: prepared.model ?? model, step });
    };
    const conditions = stopWhen === undefined ? [] : [stopWhen].flat();
    return {
      tools,
      ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, tools) }),
      prepareStep: Object.assign(prepare, { [COMPOSED]: true }),
      async stopWhen(state: Pick<StepOptions, "steps">) {
        const answers = await Promise.all(conditions.map((stop) => stop(state)));
        return answers.some(Boolean);
      },
    };
  };
}

const REPLACED =
  "A tool answered that withSingleStep does not guard, so the run was stopped. Leave the `tools` as withSingleStep returns them.";

function prepareTurn(
  run: GuardRun,
  { step, model, ...prepared }: StepSettings & { readonly step: StepOptions },
): StepSettings {
  const { messages, steps } = step;
  const results = steps.flatMap(({ toolResults }) => toolResults);
  if (!results.every((result) => run.answered.has(String(asRecord(result).toolCallId)))) {
    throw new ToolrailError("invalid-options", REPLACED);
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
