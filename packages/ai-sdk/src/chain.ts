import { type HopTicket, type Host, offeredTools, ToolrailError } from "@toolrail/core";
import { type ChainedTool, type ChainedToolParts, createChainedTool } from "./chained-tools.ts";
import { composeStop } from "./compose-stop.ts";
import { foldHistory } from "./fold-history.ts";
import { createHopModel, type HopCall } from "./hop-model.ts";
import { tellLostHops } from "./lost-hops.ts";
import { hopOptions } from "./marks.ts";
import { areShownToUser, dropDeniedHops, findPendingHops } from "./pending-hops.ts";
import { restoreOutputs } from "./restore-outputs.ts";
import type {
  ChainableSettings,
  ChainedSettings,
  ChainingOptions,
  StepOptions,
  StepSettings,
} from "./settings-types.ts";
import { composeApproval } from "./tool-approval.ts";

/**
 * Settings for `generateText`, `streamText` or `ToolLoopAgent` in which the host's tools chain: every
 * hop is a step, a call and a result of the SDK, approvals and telemetry included, and no model is
 * asked between two. Takes all of the caller's settings and gives them back composed; what is ours
 * stands under `chaining`. Steps that are hops do not count for `stopWhen`, which is `llmSteps(20)`
 * where it is left out. Throws `invalid-options` where a tool of the caller has the name of one of the
 * host's, and for settings that it has composed before: servers that chain belong to one host. The
 * tools are those that the host has now: call it for each run.
 */
export function withChaining<Settings extends ChainableSettings>(
  host: Host,
  settings: Settings,
): ChainedSettings<Settings> {
  const { chaining = {}, stopWhen, toolApproval, prepareCall, ...rest } = settings;
  const { activeTools = rest.experimental_activeTools } = settings;
  const { prepareStep = rest.experimental_prepareStep } = settings;
  const names = new Map(host.tools.map(({ id, modelName }) => [id, modelName]));
  const tools = createChainedTools({ host, names, options: chaining, files: "by-kind" });
  const offered = offeredTools(host, chaining.tools).map(({ modelName }) => modelName);
  const own = Object.keys(settings.tools ?? {});
  refuseTwins(own, tools);
  refuseTwice(prepareStep);
  const run: ChainedRun = {
    host,
    chaining,
    prepareStep: (options) => prepareStep?.(options),
    names,
    tools,
    visible: (names = activeTools) =>
      names?.filter((name) => offered.includes(name) || !Object.hasOwn(tools, name)) ?? [
        ...own,
        ...offered,
      ],
  };
  const composed = {
    ...rest,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, tools) }),
    tools: { ...settings.tools, ...tools },
    prepareStep: Object.assign((options: StepOptions) => prepare(run, options), {
      [CHAINED]: true,
    }),
    stopWhen: composeStop(stopWhen, chaining),
    ...(prepareCall && { prepareCall: composePrepareCall(host, settings) }),
  };
  return composed as unknown as ChainedSettings<Settings>;
}

/** Marks a `prepareStep` of ours, whichever copy of the package made it. */
const CHAINED = Symbol.for("toolrail.chained");

interface ChainedRun {
  readonly host: Host;
  readonly chaining: ChainingOptions;
  readonly names: ReadonlyMap<string, string>;
  readonly tools: Record<string, ChainedTool>;
  prepareStep(options: StepOptions): unknown;
  /** Those of the names that a model may see; of all, where no names are given. */
  visible(names?: readonly string[]): readonly string[];
}

async function prepare(run: ChainedRun, options: StepOptions): Promise<StepSettings> {
  const { ledger } = run.host;
  const { experimental_steeringMessages: steered = [] } = options;
  const messages = restoreOutputs(options.messages, run.tools);
  const answered = messages.filter((message) => !steered.includes(message));
  const { tickets, lost } = await findPendingHops(ledger, answered);
  if (tickets.length > 0) {
    const calls = tickets.map((ticket) => toCall(run, ticket));
    const activeTools = [...new Set(calls.map(({ toolName }) => toolName))];
    return { model: createHopModel(calls), activeTools, toolChoice: "required" };
  }
  await dropDeniedHops(ledger, messages);
  const { endWhenShown = true, history = "folded" } = run.chaining;
  if (endWhenShown && lost.size === 0 && areShownToUser(messages)) {
    return { model: createHopModel([]), activeTools: [], toolChoice: "auto" };
  }
  const own = ((await run.prepareStep(options)) ?? {}) as StepSettings;
  const read = tellLostHops(restoreOutputs(own.messages ?? messages, run.tools), lost);
  const told = history === "folded" ? foldHistory(read) : read;
  return {
    ...own,
    activeTools: run.visible(own.activeTools),
    ...(told !== options.messages && { messages: told }),
  };
}

/** What an agent's `prepareCall` gets are the caller's own settings; what it gives back is composed anew. */
function composePrepareCall(host: Host, settings: ChainableSettings) {
  const { chaining, tools, activeTools, stopWhen, prepareStep, toolApproval } = settings;
  return async (options: object) => {
    const own = { ...options, tools, activeTools, stopWhen, prepareStep, toolApproval };
    const prepared = ((await settings.prepareCall?.(own as never)) ?? own) as ChainableSettings;
    const { prepareCall: _, ...again } = prepared;
    return withChaining(host, { ...again, chaining });
  };
}

function toCall({ names }: ChainedRun, { id, root, call, progress }: HopTicket): HopCall {
  const tool = `${call.server}.${call.tool}`;
  return {
    toolCallId: id,
    toolName: names.get(tool) ?? tool,
    input: call.arguments,
    providerMetadata: hopOptions(root, progress.calls),
  };
}

function createChainedTools(run: ChainedToolParts): Record<string, ChainedTool> {
  return Object.fromEntries(
    run.host.tools.map((tool) => [tool.modelName, createChainedTool(run, tool)]),
  );
}

function refuseTwins(own: readonly string[], tools: Record<string, ChainedTool>): void {
  const twins = own.filter((name) => Object.hasOwn(tools, name));
  if (twins.length === 0) return;
  throw new ToolrailError(
    "invalid-options",
    `withChaining adds the host's tools itself; leave out or rename ${twins.join(", ")} in \`tools\`.`,
  );
}

function refuseTwice(prepareStep: ChainableSettings["prepareStep"]): void {
  if (!prepareStep || !(CHAINED in prepareStep)) return;
  throw new ToolrailError(
    "invalid-options",
    "withChaining has composed these settings already; put all servers on one host and call it once.",
  );
}
