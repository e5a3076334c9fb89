/** Tools, chains and approvals of a host for the Vercel AI SDK, versions 6 and 7. @module */

// Tools, with the chain inside the call:

export type { HopResult, ToolCallResult } from "@toolrail/core/adapter";
export { createTools, type TypedToolsOptions } from "./tools/create-tools.ts";
export type {
  HostWithSchemas,
  TypedNames,
  TypedTool,
  TypedTools,
} from "./tools/typed-tools.ts";
export type { AskedCall, ToolsOptions } from "./tools/types.ts";

// Chains whose hops are steps:

export type {
  ChainableSettings,
  ChainedSettings,
  ChainingOptions,
} from "./chain/chaining-settings.ts";
export { llmSteps, type StopCondition, shownToUser } from "./chain/stop-conditions.ts";
export { withChaining } from "./chain/with-chaining.ts";

// Outputs for models, browsers and users:

export type { ToolOutput } from "./tools/tool-output.ts";
export { type UserContent, type UserContentParts, writeUserContent } from "./tools/user-content.ts";

// Types of the SDK that both majors share:

export type { InputSchema, TypedInputSchema } from "./sdk-internals.ts";
export type { ModelOutput, SdkTool, ToolCallOptions } from "./sdk-types.ts";
