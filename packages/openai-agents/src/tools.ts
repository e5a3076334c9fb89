import {
  type FunctionTool,
  RunContext,
  type ToolInputParameters,
  tool as toFunctionTool,
} from "@openai/agents";
import type { Host, HostTool, JsonObject, ToolCall, ToolFilter } from "@toolrail/core";
import { offeredTools } from "@toolrail/core";
import {
  type CallListeners,
  defineReadTool,
  engineOf,
  type FrameworkCall,
  modelSchema,
  notify,
  type RememberedAdmissions,
  rememberAdmissions,
  throwAborted,
  viewWithListeners,
} from "@toolrail/core/adapter";
import { type ToolOutput, toToolOutput } from "./tool-output.ts";

/** Which tools `createTools` makes, for which conversation and user, and who is told of their calls. */
export interface ToolsOptions extends CallListeners {
  /** Which of the host's tools the model is offered. Default: all tools for models. */
  readonly tools?: ToolFilter;
  /** The conversation: an id that no other has. Kept results belong only to it. Default: none. */
  readonly scope?: string | undefined;
  /** The user's own words in this conversation, for policies such as `askUnlessFrom`. Default: none. */
  readonly userText?: string | readonly string[] | undefined;
}

type JsonSchema = Extract<ToolInputParameters, { additionalProperties: true }>;
type McpTool<Context> = FunctionTool<Context, JsonSchema, ToolOutput>;

/**
 * The host's current tools for an `Agent`. A call runs its whole chain; if `authorize`
 * returns `"ask"`, the run first stops with the SDK's own interruption.
 */
export function createTools<Context = unknown>(
  host: Host,
  options: ToolsOptions = {},
): McpTool<Context>[] {
  const admissions = rememberAdmissions(engineOf(host));
  const tools = offeredTools(host, options.tools);
  const own = tools.map((tool) => createTool<Context>({ host, options, admissions }, tool));
  return [...own, ...createReadTool<Context>(host, options)];
}

/** The tool `read_result`, if the host keeps long results for this scope. It makes no call. */
function createReadTool<Context>(host: Host, { scope }: ToolsOptions): McpTool<Context>[] {
  const definition = scope === undefined ? undefined : defineReadTool(host);
  if (!definition) return [];
  const { name, description, inputSchema, read } = definition;
  const parameters = inputSchema as JsonSchema;
  const execute = async (input: unknown) => {
    const { text, isError } = await read(input, scope);
    return isError ? `Error:\n${text}` : text;
  };
  return [toFunctionTool({ name, description, parameters, strict: false, execute })];
}

interface Parts {
  readonly host: Host;
  readonly options: ToolsOptions;
  readonly admissions: RememberedAdmissions;
}

function createTool<Context>(parts: Parts, tool: HostTool): McpTool<Context> {
  const toRequest = (input: unknown) => ({ tool, arguments: input as JsonObject });
  const shown = toFunctionTool<JsonSchema, Context, ToolOutput>({
    name: tool.modelName,
    description: tool.description ?? tool.title ?? tool.id,
    parameters: modelSchema(tool.inputSchema) as JsonSchema,
    strict: false,
    // With a rule, the SDK also asks a person about every invalid argument, so there is one only if the host may ask.
    needsApproval:
      engineOf(parts.host).mayAsk &&
      ((...[run, input, toolCallId = ""]) =>
        needsApproval(parts, { run, toolCallId, request: toRequest(input) })),
    execute: (...[input, run = new RunContext(), { toolCall: made, signal } = {}]) =>
      runTool(parts, { run, toolCallId: made?.callId ?? "", request: toRequest(input), signal }),
  });
  return Object.assign(shown, { name: tool.modelName }); // The SDK writes `_` for every `-` of a name.
}

interface ModelCall extends FrameworkCall {
  readonly request: Pick<ToolCall, "tool" | "arguments">;
  readonly run: RunContext;
  readonly signal?: AbortSignal | undefined;
}

async function needsApproval(parts: Parts, call: ModelCall): Promise<boolean> {
  // A restored run asks about approved calls again: the door checks them when the call is made.
  if (isApproved(call)) return true;
  const origin = { by: "model", toolCallId: call.toolCallId } as const;
  const { scope, userText } = parts.options;
  const asking = { origin, scope, userText, context: call.run.context };
  const admission = await parts.host.check(call.request, asking);
  await parts.admissions.keep(call, admission);
  return admission.type === "ask";
}

function isApproved({ run, request, toolCallId: callId }: ModelCall): boolean {
  return run.isToolApproved({ toolName: request.tool.modelName, callId }) === true;
}

/** What an approval is bound to: the call that was asked about or, if permanent, the tool as it is offered. */
async function approvalOf(
  { host, options, admissions }: Parts,
  call: ModelCall,
): Promise<string | undefined> {
  if (!isApproved(call)) return undefined;
  const asked = await admissions.approvalOf(call);
  const isForGood = asked === undefined && isApproved({ ...call, toolCallId: "" });
  return isForGood ? engineOf(host).bindingOf({ ...call.request, ...options }) : asked;
}

async function runTool(parts: Parts, call: ModelCall): Promise<ToolOutput> {
  const { host, options, admissions } = parts;
  const { toolCallId, request, signal } = call;
  const calls = host.stream(request, {
    origin: { by: "model", toolCallId },
    signal,
    scope: options.scope,
    context: call.run.context,
    userText: options.userText,
    admission: admissions.take(call),
    approved: await approvalOf(parts, call),
  });
  let step = await calls.next();
  for (; !step.done; step = await calls.next()) {
    await notify(options.onHop, { toolCallId, hop: step.value });
  }
  const chain = step.value;
  await notify(options.onResult, { toolCallId, tool: request.tool, chain });
  throwAborted(chain.ended, signal);
  return toToolOutput(await viewWithListeners(chain, { host, ...options }));
}
