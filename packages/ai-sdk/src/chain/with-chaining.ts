import type { Host, Tool } from "@toolrail/core";
import {
  engineOf,
  invalidOptions,
  modelNameOf,
  offeredTools,
  type PendingHop,
} from "@toolrail/core/adapter";
import { createAnswerModel, type ToolCallPart } from "../answer-model.ts";
import type { StepOptions, StepSettings } from "../run-settings.ts";
import { recordDenials } from "../tools/approvals.ts";
import { composeApproval } from "../tools/compose-approval.ts";
import { createChainedTools } from "./chained-tool.ts";
import {
  type ChainableSettings,
  type ChainedSettings,
  COMPOSED,
  checkSettings,
} from "./chaining-settings.ts";
import { foldHistory, forModel, markLostHops } from "./fold-history.ts";
import { openPendingHops, toHopMark } from "./pending-hops.ts";
import { readTurn } from "./read-turn.ts";
import { composeStop } from "./stop-conditions.ts";

/**
 * Composes settings for `generateText`, `streamText` or `ToolLoopAgent` so that the host's tools chain. Each hop is a
 * step with a call and a result of the SDK, including approvals and telemetry, and no model runs between two hops.
 * The options of Toolrail are under `chaining`. Hops do not count for `stopWhen`, which is `llmSteps(20)` by default.
 * Tools that servers list later are offered from the next step. Throws `invalid-options` if a tool of the caller has the name of
 * one of the host's, for settings that were composed before, and for misspelt options.
 */
export function withChaining<Settings extends ChainableSettings>(
  host: Host,
  settings: Settings,
): ChainedSettings<Settings> {
  checkSettings(host, settings);
  const { chaining = {}, stopWhen, toolApproval, ...rest } = settings;
  const chain = openChain(host, settings);
  const { tools, hostTools } = chain;
  const composed = {
    ...rest,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, hostTools) }),
    tools,
    prepareStep: Object.assign((step: StepOptions) => prepareChainStep(chain, step), {
      [COMPOSED]: true,
    }),
    stopWhen: composeStop(stopWhen, chaining),
  };
  return composed as unknown as ChainedSettings<Settings>;
}

type Chain = ReturnType<typeof openChain>;

function openChain(host: Host, settings: ChainableSettings) {
  const { chaining = {}, tools: callerTools = {} } = settings;
  const { activeTools = settings.experimental_activeTools } = settings;
  const { prepareStep = settings.experimental_prepareStep } = settings;
  const isCallers = (name: string) => Object.hasOwn(callerTools, name);
  const pendingHops = openPendingHops(host, chaining.conversation);
  const parts = { ...chaining, host, pendingHops };
  const hostTools = createChainedTools(parts, host.tools);
  const known = new Map(host.tools.map((tool) => [tool.modelName, tool]));
  const taken = Object.keys(hostTools).filter(isCallers);
  if (taken.length > 0) throw invalidOptions(`${TAKEN} ${taken.join(", ")}.`);
  const tools: Record<string, unknown> = { ...callerTools, ...hostTools };
  return {
    ...parts,
    /** True if the caller's `toolApproval` may ask a person. */
    mayAskCaller: settings.toolApproval !== undefined,
    tools,
    hostTools,
    prepareStep,
    /** Adds the tools that servers have listed or changed to the run's tools, which the SDK reads for each step. */
    async addTools() {
      await engineOf(host).settle();
      const isFree = (name: string) => known.has(name) || !Object.hasOwn(tools, name);
      const changed = host.tools.filter((tool) => known.get(tool.modelName) !== tool);
      const late = changed.filter(({ modelName }) => isFree(modelName));
      if (late.length === 0) return;
      for (const tool of late) known.set(tool.modelName, tool);
      Object.assign(hostTools, createChainedTools(parts, late));
      Object.assign(tools, hostTools);
    },
    /** Returns true if the name is that of a tool which is not the host's. A hop never calls such a tool. */
    isTaken: (name: string) => Object.hasOwn(tools, name) && tools[name] !== hostTools[name],
    /** Filters the names of tools that a model may see. Default: all active tools. */
    visible(names: readonly string[] = activeTools ?? Object.keys(tools)) {
      const offered = offeredTools(host, chaining.tools).map((tool) => tool.modelName);
      const isHidden = (name: string) => known.has(name) && !offered.includes(name);
      return names.filter((name) => !isHidden(name));
    },
  };
}

/** Returns the settings of the next step: the hops that results ask for, the end of the run, or a step of the model. */
async function prepareChainStep(chain: Chain, options: StepOptions): Promise<StepSettings> {
  const { messages: all, experimental_steeringMessages: steered = [] } = options;
  const { fold = true, endWhenShown = true, pendingHops, host, conversation, context } = chain;
  if (options.stepNumber === 0) await recordDenials(host, all, { conversation, context });
  const answered = all.filter((message) => !steered.includes(message));
  const { hops, lost, denied, isShown } = await readTurn(pendingHops, {
    messages: answered,
    isInterrupted: steered.length > 0,
    isTaken: ({ call }) => chain.isTaken(modelNameOf(call, host.tools)),
  });
  await chain.addTools();
  const messages = forModel(all);
  const changed = messages !== all && { messages };
  if (hops.length > 0) {
    // The calls receive one of these arrays, which depends on the major.
    for (const step of [all, messages]) pendingHops.remember(hops, step);
    const calls = await Promise.all(hops.map((hop) => toCall(chain, hop)));
    const activeTools = [...new Set(calls.map(({ toolName }) => toolName))];
    return { model: createAnswerModel(calls), activeTools, toolChoice: "required", ...changed };
  }
  await Promise.all(denied.map(pendingHops.drop));
  if (endWhenShown && isShown && lost.size === 0 && steered.length === 0) {
    return { model: createAnswerModel([]), activeTools: [], toolChoice: "auto", ...changed };
  }
  const prepared = ((await chain.prepareStep?.({ ...options, ...changed })) ?? {}) as StepSettings;
  const marked = markLostHops(prepared.messages ?? messages, lost);
  const read = fold ? foldHistory(marked) : marked;
  const activeTools = chain.visible(prepared.activeTools);
  return { ...prepared, activeTools, ...(read !== all && { messages: read }) };
}

async function toCall(chain: Chain, pending: PendingHop): Promise<ToolCallPart> {
  const { host, mayAskCaller } = chain;
  const { id, call } = pending;
  const { mayAsk } = engineOf(host);
  const tool = findTool(host, call);
  const mayWait = tool && (mayAskCaller || mayAsk(tool));
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: modelNameOf(call, host.tools),
    input: JSON.stringify(call.arguments),
    providerMetadata: toHopMark(pending, mayWait ? await sealHop(chain, pending, tool) : undefined),
  };
}

/** Seals a hop that a person may be asked about: it may wait for longer than this process lives. */
function sealHop({ host, conversation }: Chain, { id, call }: PendingHop, tool: Tool) {
  return engineOf(host).seal({ tool, arguments: call.arguments, conversation }, id);
}

function findTool(host: Host, { server, tool }: PendingHop["call"]): Tool | undefined {
  return host.tools.find((one) => one.server === server && one.name === tool);
}

const TAKEN = "withChaining adds the host's tools itself. In `tools`, leave out or rename";
