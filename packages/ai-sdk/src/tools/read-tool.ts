import type { Host } from "@toolrail/core";
import { defineReadTool } from "@toolrail/core/adapter";
import { toInputSchema } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";
import { toModelOutput } from "./model-output.ts";
import { type ToolOutput, toTextOutput } from "./tool-output.ts";

/** Creates the tool `read_result` if the host stores long results. It makes no call. */
export function createReadTool(
  host: Host,
  conversation: string,
): Record<string, SdkTool<ToolOutput>> {
  const definition = defineReadTool(host);
  if (!definition) return {};
  const { name, description, inputSchema, read } = definition;
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema), // The answer names what is wrong with the input.
      needsApproval: async () => false,
      async *execute(input) {
        const { text, isError } = await read(input, conversation);
        yield { ...toTextOutput(text), isError, ended: "complete" };
      },
      toModelOutput: ({ output }) => toModelOutput(output, "by-kind"),
    },
  };
}
