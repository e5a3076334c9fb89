import type { Host, ToolFilter } from "@toolrail/core";
import {
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
  const parts = { ...options, host };
  return createSdkTools(offeredTools(host, options.tools), {
    ...parts,
    check: (call) => host.check(call.request, call.options),
    run: (call) => runChain(parts, call),
  });
}

/** Makes a call and, inside it, all calls that follow. */
async function runChain(
  parts: ToolsOptions & { readonly host: Host },
  { toolCallId, request, options, approval }: MadeCall,
): Promise<ToolOutput> {
  const { host, onHop, onResult } = parts;
  const approved = approval && (await describeApproval(host, { request, options }, approval));
  const chain = await host.run(request, {
    ...options,
    approved,
    onHop: onHop && ((hop) => onHop({ toolCallId, hop })),
  });
  if (onResult) {
    await notify({ onResult }, { toolCallId, tool: request.tool, chain }, engineOf(host));
  }
  throwAborted(chain.ended, options.signal);
  return toOutput(chain, parts);
}
