// Everything exported here is public API.

// Tools, the chain inside the call
export type {
  InputSchema,
  ModelOutput,
  ModelOutputPart,
  SdkTool,
  ToolCallOptions,
} from "./sdk-types.ts";
export { type HopProgress, shownToUser, type ToolOutput } from "./tool-output.ts";
export { createTools, type ToolCallResult, type ToolsOptions } from "./tools.ts";
