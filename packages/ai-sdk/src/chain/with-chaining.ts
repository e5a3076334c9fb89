import { type Host, ToolrailError } from "@toolrail/core";
import { engineOf, offeredTools } from "@toolrail/core/adapter";
import type { StepOptions } from "../run-settings.ts";
import { isToolSearch } from "../sdk-internals.ts";
import { composeApproval } from "../tools/compose-approval.ts";
import { readDeferral } from "../tools/deferral.ts";
import { createChainedTools } from "./chained-tool.ts";
import {
  CHAINED,
  type ChainableSettings,
  type ChainedSettings,
  checkSettings,
} from "./chaining-settings.ts";
import { ASK_USER, askUser } from "./input-requests.ts";
import { openPendingHops } from "./pending-hops.ts";
import { prepareChainStep } from "./prepare-chain-step.ts";
import { composeStop } from "./stop-conditions.ts";
import type { ChainedRun } from "./types.ts";

/**
 * Composes settings for `generateText`, `streamText` or `ToolLoopAgent` so that the host's tools chain. Each hop is a
 * step with a call and a result of the SDK, including approvals and telemetry, and no model runs between two hops.
 * The options of Toolrail are under `chaining`. Hops do not count for `stopWhen`, which is `llmSteps(20)` by default.
 * Tools that servers list later are offered from the next step. If a server asks the user for input, the run ends
 * with a call of `ask_user`, which the page answers. Throws `invalid-options` if a tool of the caller has the name of
 * one of the host's, for settings that were composed before, and for misspelt options.
 */
export function withChaining<Settings extends ChainableSettings>(
  host: Host,
  settings: Settings,
): ChainedSettings<Settings> {
  checkSettings(host, settings);
  const { chaining = {}, stopWhen, toolApproval, ...rest } = settings;
  const { activeTools = rest.experimental_activeTools } = settings;
  const { prepareStep = rest.experimental_prepareStep } = settings;
  const callerTools = settings.tools ?? {};
  const isName = (name: string) => Object.hasOwn(callerTools, name);
  const canAsk = !isName(ASK_USER) && !host.tools.some(({ modelName }) => modelName === ASK_USER);
  const deferral = readDeferral(host, chaining);
  if (deferral?.by === "sdk" && !Object.values(callerTools).some(isToolSearch)) {
    throw new ToolrailError("invalid-options", NO_SEARCH);
  }
  const pendingHops = openPendingHops(host, chaining.conversation);
  const parts = { ...chaining, host, pendingHops, deferral, canAsk };
  const chained = createChainedTools(parts, host.tools);
  const made = new Map(host.tools.map((tool) => [tool.modelName, tool]));
  const pipes = chaining.pipe?.createTools(parts) ?? {};
  const twins = Object.keys({ ...chained, ...pipes }).filter(isName);
  if (twins.length > 0) throw new ToolrailError("invalid-options", `${TWINS} ${twins.join(", ")}.`);
  const tools: Record<string, unknown> = {
    ...callerTools,
    ...(canAsk && { [ASK_USER]: askUser }),
    ...chained,
    ...pipes,
  };
  const run: ChainedRun = {
    ...parts,
    prepareStep,
    async addTools() {
      await engineOf(host).settle();
      const isFree = (name: string) => made.has(name) || !Object.hasOwn(tools, name);
      const changed = host.tools.filter((tool) => made.get(tool.modelName) !== tool);
      const late = changed.filter(({ modelName }) => isFree(modelName));
      if (late.length === 0) return;
      for (const tool of late) made.set(tool.modelName, tool);
      Object.assign(chained, createChainedTools(parts, late));
      Object.assign(tools, chained);
      deferral?.update();
    },
    activate: (step, active) =>
      deferral?.activate(step, active) ?? { ...step, activeTools: active.names },
    visible(names = activeTools ?? Object.keys(tools)) {
      const offered = offeredTools(host, chaining.tools).map((tool) => tool.modelName);
      const isHidden = (name: string) => made.has(name) && !offered.includes(name);
      return names.filter((name) => !(isHidden(name) || (canAsk && name === ASK_USER)));
    },
  };
  const composed = {
    ...rest,
    ...(toolApproval !== undefined && { toolApproval: composeApproval(toolApproval, chained) }),
    tools,
    prepareStep: Object.assign((options: StepOptions) => prepareChainStep(run, options), {
      [CHAINED]: true,
    }),
    stopWhen: composeStop(stopWhen, chaining),
  };
  return composed as unknown as ChainedSettings<Settings>;
}

const NO_SEARCH =
  "`chaining.defer` leaves tools to a search, but `tools` has no toolSearch() of ai 7. Add one, or set " +
  '`by: "provider"` and add the search tool of the provider.';
const TWINS = "withChaining adds the host's tools itself. In `tools`, leave out or rename";
