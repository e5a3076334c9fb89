/** The tools of a host for the OpenAI Agents SDK, with approvals, and chains inside a call. @module */

export type { HopResult, ToolCallResult } from "@toolrail/core/adapter";
export { createTools, type McpTool, type ToolsOptions } from "./tools.ts";
