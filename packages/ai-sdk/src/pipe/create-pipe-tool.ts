import type { Host } from "@toolrail/core";
import { createOptionCheck, type OptionTable } from "@toolrail/core/adapter";
import {
  answerPipe,
  definePipeTool,
  PIPE_TOOL_OPTIONS,
  type PipeOutput,
  type PipeResult,
  type PipeToolListeners,
  type PipeToolSettings,
  preparePipe,
  type RunPipeOptions,
  runPipe,
  toPipeOutput,
} from "@toolrail/core/pipe";
import { isToolOutput } from "../page.ts";
import { toInputSchema } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";
import { markOutput, toOutputMark } from "../tools/marks.ts";
import { toModelOutput } from "../tools/model-output.ts";
import type { ToolOutput } from "../tools/tool-output.ts";
import type { ToolsOptions } from "../tools/types.ts";

/** The settings of the tool `mcp_pipe`, the conversation and user of its calls, and the listeners of its runs. */
export interface PipeToolOptions
  extends PipeToolSettings,
    PipeToolListeners,
    Pick<ToolsOptions, "conversation" | "context"> {
  /**
   * If true, a pipe waits when a step needs a person: `onResult` receives `result.paused`, and the application
   * continues with `resumePipe`. Default false: the step fails. Under `withChaining`, `chainedPipes` asks and
   * continues by itself.
   */
  readonly pauses?: boolean | undefined;
}

export const PIPE_OPTIONS: OptionTable<PipeToolSettings & PipeToolListeners> = {
  ...PIPE_TOOL_OPTIONS,
  onResult: "function",
};

const checkOptions = /* @__PURE__ */ createOptionCheck<PipeToolOptions>("createPipeTool", {
  ...PIPE_OPTIONS,
  conversation: "id",
  context: "any",
  pauses: "boolean",
});

export type PipeCall = RunPipeOptions & { readonly toolCallId: string };

/** The result of a pipe with the model's call that began its chain, or the output of a pipe that waits. */
type PipeEnd = { readonly result: PipeResult; readonly root?: string | undefined } | ToolOutput;

type Output = PipeOutput | ToolOutput;
type PipeTools = Record<string, SdkTool<Output, Promise<Output>>>;

/**
 * Creates the tool `mcp_pipe`, to spread beside `createTools`. Its output has the results of all steps, and the model reads it
 * without them. An invalid spec becomes an error that names what to fix.
 */
export function createPipeTool(host: Host, options: PipeToolOptions = {}): PipeTools {
  checkOptions(options);
  const { pauses } = options;
  const run = async (call: PipeCall) => ({ result: await runPipe(host, { ...call, pauses }) });
  return createPipes(host, { ...options, run });
}

export function createPipes(
  host: Host,
  options: PipeToolOptions & { run(call: PipeCall): Promise<PipeEnd> },
): PipeTools {
  const { enabled, tools, maxDescriptionTokens, limits } = options;
  const definition = definePipeTool(host, { enabled, tools, maxDescriptionTokens, limits });
  if (!definition) return {};
  const { name, description, inputSchema } = definition;
  const { conversation } = options;
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema), // The answer names what is wrong with the spec.
      needsApproval: async () => false,
      async execute(spec, { toolCallId: id, abortSignal: signal, ...sdkOptions }) {
        const context = sdkOptions.context ?? sdkOptions.experimental_context ?? options.context;
        const pipe = await preparePipe(host, { ...options, spec, conversation });
        const who = { toolCallId: id, conversation, context, signal };
        const end = await options.run({ ...pipe, ...who });
        if (isToolOutput(end)) return end;
        const { result, root: toolCallId = id } = end;
        const call = { ...options, spec, conversation, toolCallId, signal };
        const answer = await answerPipe(host, result, call);
        return toPipeOutput(answer.reply, answer.result.steps);
      },
      toModelOutput({ output, toolCallId }) {
        if (isToolOutput(output)) {
          return markOutput(toModelOutput(output, "by-kind"), toOutputMark(output, toolCallId));
        }
        const { steps: _, ...reply } = output;
        return { type: reply.ok ? "text" : "error-text", value: JSON.stringify(reply) };
      },
    },
  };
}
