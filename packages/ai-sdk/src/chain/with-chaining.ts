import { type Host, offeredTools, ToolrailError } from "@toolrail/core";
import type { StepOptions } from "../run-settings.ts";
import { composeApproval } from "../tools/compose-approval.ts";
import { createChainedTools } from "./chained-tool.ts";
import type { ChainableSettings, ChainedSettings } from "./chaining-settings.ts";
import { CHAINED, checkSettings } from "./check-settings.ts";
import { hopTicketsOf } from "./hop-tickets.ts";
import { type ChainedRun, prepareChainStep } from "./prepare-chain-step.ts";
import { composeStop } from "./stop-conditions.ts";

/**
 * Settings for `generateText`, `streamText` or `ToolLoopAgent` in which the host's tools chain: every
 * hop is a step, a call and a result of the SDK, approvals and telemetry included, and no model is
 * asked between two. Takes all of the caller's settings and gives them back composed; its own stand under
 * `chaining`. Hops do not count for `stopWhen`, which is `llmSteps(20)` where it is left out. Throws
 * `invalid-options` where a tool of the caller has the name of one of the host's, for settings that it has
 * composed before, and for misspelt options. The tools are those that the host has now: call it for each run.
 */
export function withChaining<Settings extends ChainableSettings>(
  host: Host,
  settings: Settings,
): ChainedSettings<Settings> {
  checkSettings(host, settings);
  const { chaining = {}, stopWhen, toolApproval, prepareCall, ...rest } = settings;
  const { activeTools = rest.experimental_activeTools } = settings;
  const { prepareStep = rest.experimental_prepareStep } = settings;
  const names = new Map(host.tools.map(({ id, modelName }) => [id, modelName]));
  const parts = { ...chaining, host, tickets: hopTicketsOf(host, chaining.scope), names };
  const chained = createChainedTools(parts);
  const twins = Object.keys(settings.tools ?? {}).filter((name) => Object.hasOwn(chained, name));
  if (twins.length > 0) throw new ToolrailError("invalid-options", `${TWINS} ${twins.join(", ")}.`);
  const tools = { ...settings.tools, ...chained };
  const offered = offeredTools(host, chaining.tools);
  const hidden = host.tools.flatMap((tool) => (offered.includes(tool) ? [] : tool.modelName));
  const run: ChainedRun = {
    ...parts,
    prepareStep,
    visible: (names = activeTools ?? Object.keys(tools)) =>
      names.filter((name) => !hidden.includes(name)),
  };
  const composed = {
    ...rest,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, chained) }),
    tools,
    prepareStep: Object.assign((options: StepOptions) => prepareChainStep(run, options), {
      [CHAINED]: true,
    }),
    stopWhen: composeStop(stopWhen, chaining),
    ...(prepareCall && { prepareCall: composePrepareCall(host, settings) }),
  };
  return composed as unknown as ChainedSettings<Settings>;
}

const TWINS = "withChaining adds the host's tools itself; in `tools`, leave out or rename";

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
