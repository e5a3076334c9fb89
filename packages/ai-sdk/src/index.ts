// Everything exported here is public API.

// Tools, the chain inside the call:

export { createTools, type ToolCallResult, type ToolsOptions } from "./tools.ts";

// Chaining, each hop a step:

export { withChaining } from "./chain.ts";
export type { ChainedTool, HopResult } from "./chained-tools.ts";
export type { ChainableSettings, ChainedSettings, ChainingOptions } from "./settings-types.ts";
export { isModelStep, llmSteps, type StopCondition, shownToUser } from "./step-conditions.ts";

// One call a query:

export { withSingleStep } from "./guard.ts";
export type {
  GuardableSettings,
  GuardedSettings,
  SingleStepSettings,
} from "./guard-settings.ts";

// Pipes:

export { createPipeTool, type PipeToolCall, type PipeToolOptions } from "./pipe.ts";

// What a model, a browser and a user get:

export type { HopProgress, ToolOutput } from "./tool-output.ts";
export { type UserContent, type UserContentParts, writeUserContent } from "./user-content.ts";

// The SDK's shapes, as far as both majors share them:

export type { InputSchema, ModelOutput, SdkTool, ToolCallOptions } from "./sdk-types.ts";
