import type { Host } from "@toolrail/core";
import {
  createOptionCheck,
  engineOf,
  invalidOptions,
  modelNameOf,
  nearestName,
  offeredTools,
  type PendingHop,
} from "@toolrail/core/adapter";
import { createAnswerModel } from "../answer-model.ts";
import {
  type ComposedSettings,
  markComposed,
  type RunSettings,
  refuseMistakes,
  type StepOptions,
  type StepSettings,
} from "../run-settings.ts";
import type { SdkTool } from "../sdk.ts";
import { composeApproval, recordDenials } from "../tools/approvals.ts";
import { asRecord } from "../tools/messages.ts";
import { CALLER } from "../tools/sdk-tool.ts";
import type { ToolOutput } from "../tools/tool-output.ts";
import { type ChainingOptions, createChainedTools } from "./chained-tool.ts";
import { foldHistory, forModel, markLostHops } from "./fold-history.ts";
import { openPendingHops, readTurn, toHopMark } from "./pending-hops.ts";
import { composeStop } from "./stop-conditions.ts";

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`. Settings that are not named here pass unchanged. */
export interface ChainableSettings extends RunSettings {
  /** The options of `withChaining`. The SDK does not receive them. */
  readonly chaining?: ChainingOptions | undefined;
  /** An option that belongs under `chaining`. */
  readonly onHop?: never;
}

/** The caller's settings, composed. `tools` keeps the types of the caller's tools, and the host's tools are dynamic. */
export type ChainedSettings<Settings> = ComposedSettings<
  Settings,
  Settings extends { readonly tools: infer Tools extends object }
    ? Tools
    : Record<string, SdkTool<ToolOutput>>
>;

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
    prepareStep: markComposed((step: StepOptions) => prepareChainStep(chain, step)),
    stopWhen: composeStop(stopWhen, chaining),
  };
  return composed as unknown as ChainedSettings<Settings>;
}

const CHAINING = {
  ...CALLER,
  tools: ["texts", "function"],
  onHop: "function",
  fold: "boolean",
  endWhenShown: "boolean",
} as const;

const checkChaining = /* @__PURE__ */ createOptionCheck<ChainingOptions>("`chaining`", CHAINING);

/** Throws `invalid-options` for typical mistakes. Warns if the host may ask for approvals that the SDK does not sign. */
function checkSettings(host: Host, settings: ChainableSettings): void {
  const engine = engineOf(host);
  refuseMistakes(settings, { fn: "withChaining", own: "chaining", options: CHAINING });
  checkChaining(settings.chaining);
  for (const [name, value] of Object.entries(settings)) {
    if (typeof asRecord(value).then !== "function") continue;
    throw invalidOptions(
      `\`${name}\` is a promise. Await it first, for example the result of convertToModelMessages.`,
    );
  }
  const { messages, experimental_toolApprovalSecret: secret } = asRecord(settings);
  const isOfPage = [messages].flat().some((message) => "parts" in Object(message));
  if (isOfPage) throw invalidOptions(PAGE_MESSAGES);
  if (engine.mayAsk() && !secret) engine.warn("no-approval-secret");
}

type Chain = ReturnType<typeof openChain>;

function openChain(host: Host, settings: ChainableSettings) {
  const { chaining = {}, tools: callerTools = {}, activeTools, prepareStep } = settings;
  offeredTools(host, chaining.tools); // Throws now, and not in the first step, for a name that matches no tool.
  const pendingHops = openPendingHops(host, chaining.conversation);
  const parts = { ...chaining, host, pendingHops };
  const hostTools = createChainedTools(parts, host.tools);
  const known = new Map(host.tools.map((tool) => [tool.modelName, tool]));
  const taken = Object.keys(hostTools).filter((name) => Object.hasOwn(callerTools, name));
  if (taken.length > 0) throw invalidOptions(`${TAKEN} ${taken.join(", ")}.`);
  const tools: Record<string, unknown> = { ...callerTools, ...hostTools };
  const approved = typeof settings.toolApproval === "object" ? settings.toolApproval : {};
  for (const name of Object.keys(approved)) {
    // A name that is near none may be that of a tool which a server lists later.
    const near = Object.hasOwn(tools, name) ? undefined : nearestName(name, Object.keys(tools));
    if (near)
      throw invalidOptions(`\`toolApproval\` has no tool "${name}". Did you mean "${near}"?`);
  }
  /** Returns true if the name is that of a tool which is not the host's. A hop never calls such a tool. */
  const isTaken = (name: string) => Object.hasOwn(tools, name) && tools[name] !== hostTools[name];
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
      const changed = host.tools.filter((tool) => known.get(tool.modelName) !== tool);
      const late = changed.filter(({ modelName }) => !isTaken(modelName));
      if (late.length === 0) return;
      for (const tool of late) known.set(tool.modelName, tool);
      Object.assign(hostTools, createChainedTools(parts, late));
      Object.assign(tools, hostTools);
    },
    isTaken,
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
    pendingHops.beginStep(hops);
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

async function toCall({ host, conversation, mayAskCaller }: Chain, pending: PendingHop) {
  const { id, call } = pending;
  const engine = engineOf(host);
  const tool = host.tools.find(({ server, name }) => server === call.server && name === call.tool);
  // A hop that a person may be asked about may wait for longer than this process lives.
  const mayWait = tool && (mayAskCaller || engine.mayAsk(tool));
  const sealed =
    mayWait && (await engine.seal({ tool, arguments: call.arguments, conversation }, id));
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: modelNameOf(call, host.tools),
    input: JSON.stringify(call.arguments),
    providerMetadata: toHopMark(pending, sealed || undefined),
  } as const;
}

const TAKEN = "withChaining adds the host's tools itself. In `tools`, leave out or rename";
const PAGE_MESSAGES =
  "`messages` are those of a page: convert them with `await convertToModelMessages(messages)` first.";
