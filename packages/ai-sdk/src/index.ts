// Everything exported here is public API.

// One call a query
export {
  type GuardableSettings,
  type GuardedSettings,
  type SingleStepSettings,
  withSingleStep,
} from "./guard.ts";
// Pipes
export { createPipeTool, type PipeToolCall, type PipeToolOptions } from "./pipe.ts";
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
