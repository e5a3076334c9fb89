import type { Host } from "@toolrail/core";
import { defineReadTool } from "@toolrail/core/adapter";
import { toInputSchema } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";
import { toModelOutput } from "./model-output.ts";
import { ofView, type ToolOutput } from "./tool-output.ts";

/** The tool `read_result` by its name, where the host keeps long results for this scope. It makes no call. */
export function createReadTool(
  host: Host,
  scope: string | undefined,
): Record<string, SdkTool<ToolOutput>> {
  const definition = scope === undefined ? undefined : defineReadTool(host);
  if (!definition) return {};
  const { name, description, inputSchema, read } = definition;
  async function* execute(input: unknown): AsyncGenerator<ToolOutput, void, undefined> {
    const { text, isError } = await read(input, scope);
    const content = [{ type: "text", text }];
    const view = { content, isError, placeholder: false, userOnly: false };
    yield { ...ofView(view, []), ended: "complete" };
  }
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema, () => undefined), // What is wrong with it, the answer says.
      needsApproval: async () => false,
      execute,
      toModelOutput: ({ output }) => toModelOutput(output, "by-kind"),
    },
  };
}
