import type { Host, ToolFilter } from "@toolrail/core";
import {
  type AdapterCallOptions,
  type CallListeners,
  createOptionCheck,
  engineOf,
  notify,
  offeredTools,
  throwAborted,
} from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk.ts";
import { describeApproval } from "./approvals.ts";
import { CALLER, type CallerOptions, createSdkTools, type MadeCall } from "./sdk-tool.ts";
import { type ToolOutput, toOutput } from "./tool-output.ts";

/** The options of `createTools`: the tools, the conversation and user of their calls, and the listeners. */
export interface ToolsOptions extends CallerOptions, CallListeners {
  /** Selects which of the host's tools are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ToolsOptions>("createTools", {
  ...CALLER,
  tools: ["texts", "function"],
  onHop: "function",
  onResult: "function",
});

/**
 * Creates the host's tools for `generateText`, `streamText` and `ToolLoopAgent`, by model name. A call runs its whole
 * chain. The tools are those that the host has now: create them again when its list changes.
 */
export function createTools(
  host: Host,
  options: ToolsOptions = {},
): Record<string, SdkTool<ToolOutput>> {
  checkOptions(options);
  return createSdkTools(offeredTools(host, options.tools), {
    ...options,
    host,
    check: ({ request, options: asking }) => host.check(request, asking),
    run: (call) => runChain({ ...options, host }, call),
  });
}

/** Makes a call and, inside it, all calls that follow. */
export async function runChain(
  options: ToolsOptions & { readonly host: Host },
  { options: asking, ...call }: MadeCall,
): Promise<ToolOutput> {
  const { host, onHop, onResult } = options;
  const { toolCallId, request, isOfStep } = call;
  const own: AdapterCallOptions = {
    ...asking,
    approved: await describeApproval(host, call, asking),
    ...(onHop && { onHop: (hop) => onHop({ toolCallId, hop }) }),
  };
  const chain = await host.run(request, own);
  await notify({ onResult }, { toolCallId, tool: request.tool, chain }, engineOf(host));
  throwAborted(chain.ended, asking.signal);
  return await toOutput(chain, { ...options, withStructured: !isOfStep });
}
