import type { Host } from "@toolrail/core";
import { notify } from "@toolrail/core/adapter";
import {
  definePipeTool,
  type PipeReply,
  type PipeToolListeners,
  type PipeToolSettings,
  runPipe,
  toPipeReply,
} from "@toolrail/core/pipe";
import { toInputSchema } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";

export interface PipeToolOptions extends PipeToolSettings, PipeToolListeners {}

/**
 * The tool `mcp_pipe`, to be spread beside `createTools`. What the model reads, and the output that
 * reaches a browser, is the small reply; a wrong spec comes back as an error that says what to fix.
 */
export function createPipeTool(
  host: Host,
  options: PipeToolOptions = {},
): Record<string, SdkTool<PipeReply, Promise<PipeReply>>> {
  const definition = definePipeTool(host, options);
  if (!definition) return {};
  const { name, description, inputSchema } = definition;
  const { limits, flow, onResult } = options;
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema, () => undefined), // The spec is checked as a whole, later.
      needsApproval: async () => false,
      async execute(spec, { toolCallId, abortSignal: signal }) {
        const call = { spec, toolCallId, signal, limits, flow };
        const result = await runPipe(host, { author: "model", ...call });
        await notify(onResult, { toolCallId, spec, result });
        signal?.throwIfAborted();
        return toPipeReply(result);
      },
      toModelOutput: ({ output }) => ({
        type: output.ok ? "text" : "error-text",
        value: JSON.stringify(output),
      }),
    },
  };
}
