import type { Host } from "@toolrail/core";
import { defineReadTool } from "@toolrail/core/adapter";
import { toInputSchema } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";
import { toModelOutput } from "./model-output.ts";
import { ofView, type ToolOutput } from "./tool-output.ts";

interface ReadSettings<Result> {
  readonly scope: string | undefined;
  /** Gives the output in the form of the tools beside it. */
  toResult(output: Promise<ToolOutput>): Result;
}

/** The tool `read_result` by its name, where the host keeps long results for this scope. It makes no call. */
export function createReadTool<Result>(
  host: Host,
  { scope, toResult }: ReadSettings<Result>,
): Record<string, SdkTool<ToolOutput, Result>> {
  const definition = scope === undefined ? undefined : defineReadTool(host);
  if (!definition) return {};
  const { name, description, inputSchema, read } = definition;
  const answer = async (input: unknown): Promise<ToolOutput> => {
    const { text, isError } = await read(input, scope);
    const view = {
      content: [{ type: "text", text }],
      isError,
      placeholder: false,
      userOnly: false,
    };
    return { ...ofView(view, []), ended: "complete" };
  };
  return {
    [name]: {
      type: "dynamic",
      description,
      inputSchema: toInputSchema(inputSchema, () => undefined), // What is wrong with it, the answer says.
      needsApproval: async () => false,
      execute: (input) => toResult(answer(input)),
      toModelOutput: ({ output }) => toModelOutput(output, "by-kind"),
    },
  };
}
