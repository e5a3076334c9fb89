// Everything exported here is public API.

export type { HopResult, ToolCallResult } from "@toolrail/core/adapter";
export { createTools, type ToolsOptions } from "./tools.ts";
