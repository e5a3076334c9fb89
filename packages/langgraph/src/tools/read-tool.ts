import { ToolMessage } from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host } from "@toolrail/core";
import { defineReadTool } from "@toolrail/core/adapter";
import { scopeOf, toolCallIdOf } from "./call-config.ts";
import { openTool } from "./open-tool.ts";

/** The tool `read_result`, where the host keeps long results: it reads those of the thread, and makes no call. */
export function createReadTool(host: Host): DynamicStructuredTool[] {
  const definition = defineReadTool(host);
  if (!definition) return [];
  const { name, description, inputSchema: schema, read } = definition;
  const tool = openTool({
    name,
    description,
    schema,
    async answer(input, config) {
      const { text: content, isError } = await read(input, scopeOf(config));
      const status = isError ? "error" : "success";
      const fields = { name, content, status, tool_call_id: toolCallIdOf(config) ?? "" } as const;
      return [new ToolMessage(fields), undefined];
    },
  });
  return [tool];
}
