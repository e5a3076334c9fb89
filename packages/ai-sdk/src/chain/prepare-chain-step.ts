import { type HopTicket, toolId, toRef } from "@toolrail/core/adapter";
import { type AnswerPart, createAnswerModel } from "../answer-model.ts";
import type { PrepareStep, StepOptions, StepSettings } from "../run-settings.ts";
import { toMark } from "../tools/marks.ts";
import type { ChainParts } from "./chained-tool.ts";
import type { ChainingOptions } from "./chaining-settings.ts";
import { foldHistory } from "./fold-history.ts";
import { areShownToUser, dropDeniedHops, findPendingHops, tellLostHops } from "./pending-hops.ts";

/** One run of the SDK under `withChaining`. */
export interface ChainedRun extends ChainParts, ChainingOptions {
  /** The caller's own. */
  readonly prepareStep: PrepareStep | undefined;
  /** Those of the names that a model may see. Default: of all that are active. */
  visible(names?: readonly string[]): readonly string[];
}

/** The settings of the next step: the hops that results ask for, the end of the run, or the model's own turn. */
export async function prepareChainStep(
  run: ChainedRun,
  options: StepOptions,
): Promise<StepSettings> {
  const { messages, experimental_steeringMessages: steered = [] } = options;
  const { fold = true, endWhenShown = true } = run;
  const answered = messages.filter((message) => !steered.includes(message));
  const { tickets, lost } = await findPendingHops(run.tickets, answered);
  if (tickets.length > 0) {
    const calls = tickets.map((ticket) => toCall(run, ticket));
    const activeTools = [...new Set(calls.map(({ toolName }) => toolName))];
    return { model: createAnswerModel(calls), activeTools, toolChoice: "required" };
  }
  await dropDeniedHops(run.tickets, messages);
  if (endWhenShown && lost.size === 0 && areShownToUser(messages)) {
    return { model: createAnswerModel([]), activeTools: [], toolChoice: "auto" };
  }
  const own = ((await run.prepareStep?.(options)) ?? {}) as StepSettings;
  const told = tellLostHops(own.messages ?? messages, lost);
  const read = fold ? foldHistory(told) : told;
  return {
    ...own,
    activeTools: run.visible(own.activeTools),
    ...(read !== messages && { messages: read }),
  };
}

function toCall({ names }: ChainedRun, { id, root, call }: HopTicket) {
  const tool = toolId(toRef(call));
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: names.get(tool) ?? tool,
    input: JSON.stringify(call.arguments),
    providerMetadata: toMark({ root }),
  } as const satisfies AnswerPart;
}
