import type { Hop, Host, Tool, ToolFilter, ToolSchemas } from "@toolrail/core";
import {
  type CallListeners,
  createOptionCheck,
  engineOf,
  invalidOptions,
  notify,
  offeredTools,
  type SchemaArguments,
  type SchemaContent,
  throwAborted,
} from "@toolrail/core/adapter";
import type { SdkTool, TypedTool } from "../sdk.ts";
import { describeApproval } from "./approvals.ts";
import { CALLER, type CallerOptions, createSdkTools, type MadeCall } from "./sdk-tool.ts";
import { type ToolOutput, toOutput, toProgress } from "./tool-output.ts";

/** The options of `createTools`: the tools, the conversation and user of their calls, and the listeners. */
export interface ToolsOptions extends CallerOptions, CallListeners {
  /** Selects which of the host's tools are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * The tools whose types the SDK and its pages know, by model name: `{ get_balance: "bank.get_balance" }`. The types
   * are from the host's `schemas`. All other tools are dynamic. Throws `invalid-options` for a name that its tool
   * does not have. Default: none.
   */
  readonly typed?: TypedNames | undefined;
}

/** The tools whose types the SDK and its pages know: ids of the host's `schemas`, by model name. */
export type TypedNames<Id extends string = string> = { readonly [modelName: string]: Id };

/** The typed tools by model name, with the types of the host's `schemas`. */
export type TypedTools<
  Schemas extends ToolSchemas,
  Names extends TypedNames<keyof Schemas & string>,
> = {
  [Name in keyof Names]: TypedTool<
    Arguments<Schemas[Names[Name]]>,
    ToolOutput<SchemaContent<Schemas[Names[Name]]>>
  >;
};

type Arguments<Schema> = [SchemaArguments<Schema>] extends [never]
  ? unknown
  : SchemaArguments<Schema>;

const checkOptions = /* @__PURE__ */ createOptionCheck<ToolsOptions>("createTools", {
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
>(
  host: Host & { readonly "~schemas"?: Schemas },
  options: ToolsOptions & { readonly typed: Names },
): TypedTools<Schemas, Names>;
export function createTools(
  host: Host,
  options?: ToolsOptions & { readonly typed?: undefined },
): Record<string, SdkTool<ToolOutput>>;
export function createTools(host: Host, options: ToolsOptions = {}): object {
  checkOptions(options);
  const offered = offeredTools(host, options.tools);
  checkNames(offered, options.typed);
  return createSdkTools(offered, {
    ...options,
    host,
    check: ({ request, options: asking }) => host.check(request, asking),
    run: (call) => runChain({ ...options, host }, call),
  });
}

/** Throws `invalid-options` if a name in `typed` is not the name that models have for its tool. */
export function checkNames(tools: readonly Tool[], typed: TypedNames = {}): void {
  for (const [modelName, id] of Object.entries(typed)) {
    const found = tools.find((tool) => tool.id === id);
    if (found?.modelName === modelName) continue;
    const why = found
      ? `whose name for models is "${found.modelName}". Write { ${found.modelName}: "${id}" }.`
      : "which is not offered. Write the id of an offered tool, as in host.tools.";
    throw invalidOptions(`\`typed\` names "${modelName}" for ${id}, ${why}`);
  }
}

/** Makes a call and, inside it, all calls that follow. */
export async function runChain(
  options: ToolsOptions & { readonly host: Host },
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
