/** The tool `mcp_pipe` of a host for the Vercel AI SDK. @module */

import type { Host } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import {
  answerPipe,
  definePipeTool,
  PIPE_TOOL_OPTIONS,
  type PipeOutput,
  type PipeToolListeners,
  type PipeToolSettings,
  runPipe,
  toPipeOutput,
} from "@toolrail/core/pipe";
import { type SdkTool, toInputSchema } from "../sdk.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";

/** The settings of the tool `mcp_pipe`, the conversation and user of its calls, and the listeners of its runs. */
export interface PipeToolOptions
  extends PipeToolSettings,
    PipeToolListeners,
    Pick<ToolsOptions, "conversation" | "context"> {}

const checkOptions = /* @__PURE__ */ createOptionCheck<PipeToolOptions>("createPipeTool", {
  ...PIPE_TOOL_OPTIONS,
  onResult: "function",
  conversation: "id",
  context: "any",
});

type PipeTools = Record<string, SdkTool<PipeOutput>>;

/**
 * Creates the tool `mcp_pipe`, to spread beside `createTools`, or into the `tools` of `withChaining`. Its output has the results
 * of all steps, and the model reads it without them. A step that needs a person fails, since a call of the SDK cannot wait in its
 * middle: the model then calls the tool itself. An invalid spec becomes an error that names what to fix.
 */
export function createPipeTool(host: Host, options: PipeToolOptions = {}): PipeTools {
  checkOptions(options);
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
      async execute(spec, { toolCallId, abortSignal: signal, ...sdkOptions }) {
        const context = sdkOptions.context ?? sdkOptions.experimental_context ?? options.context;
        const who = { toolCallId, conversation, context, signal };
        const result = await runPipe(host, { spec, author: "model", tools, limits, ...who });
        const reply = await answerPipe(host, result, { ...options, ...who, spec });
        return toPipeOutput(reply, result.steps);
      },
      toModelOutput({ output }) {
        const { steps: _, ...reply } = output;
        return { type: reply.ok ? "text" : "error-text", value: JSON.stringify(reply) };
      },
    },
  };
}
