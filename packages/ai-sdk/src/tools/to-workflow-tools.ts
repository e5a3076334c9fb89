import type { SdkTool } from "../sdk-types.ts";
import { toLooseSchema } from "./loose-schema.ts";

/** Tools by their names, whose calls give a promise of their output. */
export type WorkflowTools<Output> = Record<string, SdkTool<Output, Promise<Output>>>;

/**
 * Tools of `createTools` and `createPipeTool` for `WorkflowAgent` of `@ai-sdk/workflow`, which waits for a promise where
 * the SDK iterates: a call gives its last output, and no progress. That agent cannot compile every schema that servers
 * list, so that the model is offered simpler ones; the host checks arguments by the server's own.
 */
export function toWorkflowTools<Output>(
  tools: Readonly<Record<string, SdkTool<Output, AsyncIterable<Output> | PromiseLike<Output>>>>,
): WorkflowTools<Output> {
  const convert = (tool: (typeof tools)[string]): WorkflowTools<Output>[string] => ({
    ...tool,
    inputSchema: { ...tool.inputSchema, jsonSchema: toLooseSchema(tool.inputSchema.jsonSchema) },
    async execute(input, options) {
      const running = tool.execute(input, options);
      if (!(Symbol.asyncIterator in running)) return running;
      let last: Output | undefined;
      for await (const output of running) last = output;
      return last as Output;
    },
  });
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, convert(tool)]));
}
