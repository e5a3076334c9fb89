import type { Host } from "../host/create-host.ts";
import { offeredTools } from "../host/offered-tools.ts";
import type { ToolFilter } from "../host/tool-patterns.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { describePipeTool, type PipeToolDefinition } from "./pipe-tool.ts";

/** What `createPipeTool` takes in every framework. */
export interface PipeToolSettings {
  /** False offers no tool at all. Default true. */
  readonly enabled?: boolean;
  /** Tools that the description tells the model of. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /** About how many tokens the description may cost. Default 1,500. */
  readonly maxDescriptionTokens?: number;
  readonly limits?: Partial<PipeLimits>;
}

/** The tool `mcp_pipe` over the tools of a host, for a framework; `undefined` where it is switched off. */
export function definePipeTool(
  host: Host,
  { enabled = true, tools, maxDescriptionTokens }: PipeToolSettings = {},
): PipeToolDefinition | undefined {
  if (!enabled) return undefined;
  return describePipeTool(offeredTools(host, tools), { maxDescriptionTokens });
}
