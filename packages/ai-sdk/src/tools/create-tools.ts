import type { Hop, Host, ToolSchemas } from "@toolrail/core";
import {
  createOptionCheck,
  engineOf,
  notify,
  offeredTools,
  throwAborted,
} from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk-types.ts";
import { describeApproval } from "./approvals.ts";
import { createSdkTools } from "./sdk-tool.ts";
import { type ToolOutput, toOutput, toProgress } from "./tool-output.ts";
import {
  checkNames,
  type HostWithSchemas,
  type TypedNames,
  type TypedTools,
} from "./typed-tools.ts";
import { CALLER, type MadeCall, type ToolsOptions } from "./types.ts";

/** The options of `createTools` if the SDK and its pages know the types of some tools. */
export interface TypedToolsOptions<Names extends TypedNames = TypedNames> extends ToolsOptions {
  /**
   * The tools whose types the SDK and its pages know, by model name: `{ get_balance: "bank.get_balance" }`. The types
   * are from the host's `schemas`. All other tools are dynamic. Throws `invalid-options` for a name that its tool
   * does not have.
   */
  readonly typed: Names;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<TypedToolsOptions>("createTools", {
  ...CALLER,
  tools: ["texts", "function"],
  typed: "object",
  onHop: "function",
  onResult: "function",
});

/**
 * Creates the host's tools for `generateText`, `streamText` and `ToolLoopAgent`, by model name. A call runs its whole
 * chain: each hop is a preliminary output, and the last output is the result. The tools are those that the host has
 * now: create them again when its list changes.
 */
export function createTools<
  Schemas extends ToolSchemas,
  const Names extends TypedNames<keyof Schemas & string>,
>(host: HostWithSchemas<Schemas>, options: TypedToolsOptions<Names>): TypedTools<Schemas, Names>;
export function createTools(
  host: Host,
  options?: ToolsOptions,
): Record<string, SdkTool<ToolOutput>>;
export function createTools(
  host: Host,
  options: ToolsOptions & Partial<TypedToolsOptions> = {},
): object {
  checkOptions(options);
  const { typed } = options;
  const offered = offeredTools(host, options.tools);
  if (typed) checkNames(offered, typed);
  return createSdkTools(offered, {
    ...options,
    host,
    checksArguments: true,
    check: ({ request, options: asking }) => host.check(request, asking),
    run: (call) => runChain({ ...options, host }, call),
  });
}

/** Makes a call and, inside it, all calls that follow. */
export async function runChain(
  options: Omit<ToolsOptions, "tools"> & { readonly host: Host },
  { options: asking, ...call }: MadeCall,
): Promise<ToolOutput> {
  const { host, onHop, onResult } = options;
  const { toolCallId, request, isTyped, isOfStep, report } = call;
  const hops: Hop[] = [];
  const chain = await host.run(request, {
    ...asking,
    approved: await describeApproval(host, call, asking),
    onProgress: (progress) => report(toProgress(hops, progress)),
    onHop(hop) {
      hops.push(hop);
      return onHop?.({ toolCallId, hop });
    },
    allowHop() {
      report(toProgress(hops)); // The last hop is in the output itself.
      return true;
    },
  });
  await notify({ onResult }, { toolCallId, tool: request.tool, chain }, engineOf(host));
  throwAborted(chain.ended, asking.signal);
  return await toOutput(chain, { ...options, withStructured: isTyped || !isOfStep });
}
