// Everything exported here is public API.

// Tools, the chain inside the call
export type { ApprovalRequest, ApprovalResponse } from "./approval.ts";
export type { ToolEvent } from "./call-config.ts";
// Chains whose hops are turns of the graph
export { type ChainMiddleware, chainMiddleware } from "./chain-middleware.ts";
export { type ChainNodeOptions, chainNode } from "./chain-node.ts";
export type { ChainOptions } from "./chain-turn.ts";
export { foldHops } from "./fold-hops.ts";
// One call a query
export {
  type SingleStepMiddleware,
  type SingleStepMiddlewareOptions,
  singleStepMiddleware,
} from "./guard.ts";
export { createSingleStepGraph, type SingleStepGraphOptions } from "./guard-graph.ts";
export type { GuardArtifact } from "./guard-messages.ts";
export { chainState } from "./hop-channel.ts";
export { isHopMessage, shownToUser } from "./hop-messages.ts";
// Pipes
export type { LargeValues } from "./large-values.ts";
export {
  buildPipeGraph,
  type CompiledPipe,
  type CompilePipeOptions,
  compilePipe,
  type PipeGraph,
  type PipeGraphOptions,
} from "./pipe-graph.ts";
export { createPipeTool, type PipeToolOptions } from "./pipe-tool.ts";
// What a tool answers
export type { ToolArtifact } from "./tool-message.ts";
export { createTools, type ToolsOptions } from "./tools.ts";
