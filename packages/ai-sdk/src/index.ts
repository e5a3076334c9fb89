/** Tools, chains and approvals of a host for the Vercel AI SDK, versions 6 and 7. @module */

// Tools, with the chain inside the call:

export type { HopResult, ToolCallResult } from "@toolrail/core/adapter";
export { createTools, type ToolsOptions } from "./tools/create-tools.ts";
export type { AskedCall } from "./tools/sdk-tool.ts";

// Chains whose hops are steps:

export type { ChainingOptions } from "./chain/chained-tool.ts";
export { llmSteps, type StopCondition, shownToUser } from "./chain/stop-conditions.ts";
export {
  type ChainableSettings,
  type ChainedSettings,
  withChaining,
} from "./chain/with-chaining.ts";

// Outputs for models, browsers and users:

export {
  type ToolOutput,
  type UserContent,
  type UserContentParts,
  writeUserContent,
} from "./tools/tool-output.ts";

// Types of the SDK that both majors share:

export type { InputSchema, ModelOutput, SdkTool, ToolCallOptions } from "./sdk.ts";
