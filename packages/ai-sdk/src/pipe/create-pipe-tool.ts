import type { Host } from "@toolrail/core";
import { findKept, keepReply, notify } from "@toolrail/core/adapter";
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
import { contextOf } from "../tools/sdk-tool.ts";

export interface PipeToolOptions extends PipeToolSettings, PipeToolListeners {
  /** The conversation: an id that no other has, the same as that of `createTools`. Default: none. */
  readonly scope?: string | undefined;
  /** The user's own words in this conversation, as of `createTools`. Default: none. */
  readonly userText?: string | readonly string[] | undefined;
  /** Who calls, as `createTools` has it. Default: what the SDK was told. */
  readonly context?: unknown;
}

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
  const { limits, flow, scope, userText, onResult } = options;
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema, () => undefined), // The spec is checked as a whole, later.
      needsApproval: async () => false,
      async execute(spec, { toolCallId, abortSignal: signal, ...told }) {
        const context = contextOf(told) ?? options.context;
        const kept = await findKept(host, { spec, scope });
        const who = { toolCallId, scope, userText, context };
        const run = { author: "model", signal, limits, flow, kept, ...who } as const;
        const result = await runPipe(host, { spec, ...run });
        await notify(onResult, { toolCallId, spec, result });
        signal?.throwIfAborted();
        return keepReply(host, toPipeReply(result), { scope, toolCallId });
      },
      toModelOutput: ({ output }) => ({
        type: output.ok ? "text" : "error-text",
        value: JSON.stringify(output),
      }),
    },
  };
}
