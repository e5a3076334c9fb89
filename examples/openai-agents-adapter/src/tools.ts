import {
  type FunctionTool,
  RunContext,
  type ToolInputParameters,
  tool as toFunctionTool,
} from "@openai/agents";
import type { CallOptions, Hop, Host, Tool, ToolCall, ToolFilter } from "@toolrail/core";
import {
  type CallListeners,
  type ChangeOptions,
  createOptionCheck,
  describeApproval,
  engineOf,
  notify,
  offeredTools,
  viewWithListeners,
} from "@toolrail/core/adapter";
import { providerSchema } from "@toolrail/core/json";
import { type ToolOutput, toToolOutput } from "./tool-output.ts";

/** The options of `createTools`: the tools, the conversation and user of their calls, and the listeners. */
export interface ToolsOptions extends CallListeners, ChangeOptions {
  /** Selects which of the host's tools are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /** The unique id of the conversation. Stored results belong to it only. Default: none. */
  readonly conversation?: string | undefined;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ToolsOptions>("createTools", {
  tools: ["texts", "function"],
  conversation: "id",
  changes: "function",
  onHop: "function",
  onResult: "function",
});

type JsonSchema = Extract<ToolInputParameters, { additionalProperties: true }>;
/** A tool of a host for the SDK's agents. */
export type McpTool<Context = unknown> = FunctionTool<Context, JsonSchema, ToolOutput>;

/**
 * Creates the host's current tools for an `Agent`. A call runs its whole chain. If `authorize` returns `"ask"`, the
 * run first stops with the SDK's own interruption.
 */
export function createTools<Context = unknown>(
  host: Host,
  options: ToolsOptions = {},
): McpTool<Context>[] {
  checkOptions(options);
  const offered = offeredTools(host, options.tools);
  const parts = { host, options };
  return offered.map((tool) => createTool<Context>(parts, tool));
}

interface Parts {
  readonly host: Host;
  readonly options: ToolsOptions;
}

interface ModelCall {
  readonly toolCallId: string;
  readonly request: Pick<ToolCall, "tool" | "arguments">;
  readonly run: RunContext;
  readonly options: CallOptions;
}

function createTool<Context>(parts: Parts, tool: Tool): McpTool<Context> {
  const { conversation } = parts.options;
  const toCall = (input: unknown, run: RunContext, toolCallId = ""): ModelCall => {
    const origin = { by: "model", toolCallId } as const;
    const options = { origin, conversation, context: run.context };
    return {
      run,
      toolCallId,
      request: { tool, arguments: input as ToolCall["arguments"] },
      options,
    };
  };
  const shown = toFunctionTool<JsonSchema, Context, ToolOutput>({
    name: tool.modelName,
    description: tool.description ?? tool.title ?? tool.id,
    parameters: providerSchema(tool.inputSchema) as JsonSchema,
    strict: false,
    // The SDK also asks a person about invalid arguments if a rule exists, so it gets one only if the host may ask.
    needsApproval:
      engineOf(parts.host).mayAsk(tool) &&
      ((...[run, input, id]) => needsApproval(parts, toCall(input, run, id))),
    execute: (...[input, run = new RunContext(), { toolCall: made, signal } = {}]) => {
      const call = toCall(input, run, made?.callId);
      return runTool(parts, { ...call, options: { ...call.options, signal } });
    },
  });
  return Object.assign(shown, { name: tool.modelName }); // The SDK replaces every `-` in a name by `_`.
}

async function needsApproval({ host }: Parts, call: ModelCall): Promise<boolean> {
  // A restored run asks about approved calls again. The host checks them when the call is made.
  if (isApproved(call)) return true;
  return (await host.check(call.request, call.options)).type === "ask";
}

function isApproved({ run, request, toolCallId: callId }: ModelCall): boolean {
  return run.isToolApproved({ toolName: request.tool.modelName, callId }) === true;
}

async function runTool({ host, ...parts }: Parts, call: ModelCall): Promise<ToolOutput> {
  const { onHop, onResult, changes } = parts.options;
  const { toolCallId, request, options } = call;
  const chain = await host.run(request, {
    ...options,
    ...(isApproved(call) && {
      approved: await approvalOf(host, call),
      changes: changes?.({ toolCallId, ...request }),
    }),
    onHop: onHop && ((hop: Hop) => onHop({ toolCallId, hop })),
  });
  await notify({ onResult }, { toolCallId, tool: request.tool, chain }, engineOf(host));
  return toToolOutput(await viewWithListeners(chain, { host, ...parts.options }));
}

/** Describes the approval of the SDK, which names no question but the call itself. The state of a run says that it was given. */
function approvalOf(host: Host, { toolCallId, request, options }: ModelCall) {
  return describeApproval(host, request, { ...options, id: `openai-agents:${toolCallId}` });
}
