import { modelNameOf } from "@toolrail/core/adapter";
import { createAnswerModel, type ToolCallPart } from "../answer-model.ts";
import type { StepOptions, StepSettings } from "../run-settings.ts";
import { toMark } from "../tools/marks.ts";
import { foldHistory } from "./fold-history.ts";
import { toAskCall, withoutInputRequests } from "./input-requests.ts";
import type { WaitingHop } from "./pending-hops.ts";
import { markLostHops, readTurn } from "./read-turn.ts";
import type { ChainedRun } from "./types.ts";

/** Returns the settings of the next step: the hops that results ask for, the end of the run, or a step of the model. */
export async function prepareChainStep(
  run: ChainedRun,
  options: StepOptions,
): Promise<StepSettings> {
  const { messages: all, experimental_steeringMessages: steered = [] } = options;
  const { fold = true, endWhenShown = true } = run;
  const answered = all.filter((message) => !steered.includes(message));
  const { pendingHops, lost, denied, isShown } = await readTurn(run.pendingHops, answered);
  await run.addTools();
  const messages = withoutInputRequests(all);
  const changed = messages !== all && { messages };
  if (pendingHops.length > 0) {
    // The calls receive one of these arrays, which depends on the major.
    for (const step of [all, messages]) run.pendingHops.remember(pendingHops, step);
    const calls = pendingHops.map((pending) => toCall(run, pending));
    const names = [...new Set(calls.map(({ toolName }) => toolName))];
    const settings = { model: createAnswerModel(calls), toolChoice: "required", ...changed };
    return run.activate(settings, { names, reached: names });
  }
  await Promise.all(denied.map(run.pendingHops.drop));
  if (endWhenShown && isShown && lost.size === 0 && steered.length === 0) {
    return { model: createAnswerModel([]), activeTools: [], toolChoice: "auto", ...changed };
  }
  const prepared = ((await run.prepareStep?.({ ...options, ...changed })) ?? {}) as StepSettings;
  const marked = markLostHops(prepared.messages ?? messages, lost);
  const read = fold ? foldHistory(marked) : marked;
  const settings = { ...prepared, ...(read !== all && { messages: read }) };
  return run.activate(settings, { names: run.visible(prepared.activeTools), reached: [] });
}

function toCall({ host }: ChainedRun, pending: WaitingHop): ToolCallPart {
  const { id, root, call, decision, asks } = pending;
  if (call.inputRequest && !decision) return toAskCall(pending, call.inputRequest);
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: asks ? call.tool : modelNameOf(call, host.tools),
    input: JSON.stringify(call.arguments),
    providerMetadata: toMark({ root }),
  };
}
