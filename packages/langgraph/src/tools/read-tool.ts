import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host } from "@toolrail/core";
import { defineReadTool } from "@toolrail/core/adapter";
import { type CallConfig, scopeOf } from "./call-config.ts";
import { openTool, toReturn } from "./open-tool.ts";

/** The tool `read_result`, where the host keeps long results: it reads those of the thread, and makes no call. */
export function createReadTool(host: Host): DynamicStructuredTool[] {
  const definition = defineReadTool(host);
  if (!definition) return [];
  const { name, description, inputSchema: schema, read } = definition;
  const answer = async (input: unknown, config: CallConfig) =>
    toReturn(await read(input, scopeOf(config)), { name, config });
  return [openTool({ name, description, schema, answer })];
}
