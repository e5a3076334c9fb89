/** Tools, chains and approvals of a host for LangChain's `createAgent` and LangGraph.js. @module */

export { type AdapterClients, adapterServers } from "./adapter-servers.ts";

// Tools, the chain inside the call:

export type { CallListeners, HopResult, ToolCallResult } from "@toolrail/core/adapter";
export type { ApprovalRequest, ApprovalResponse } from "./tools/ask-person.ts";
export type { ToolEvent } from "./tools/call-config.ts";
export { createTools, type ToolsOptions } from "./tools/create-tools.ts";
export { artifactOf, type ToolArtifact } from "./tools/messages.ts";

// Chains whose hops are turns of the graph:

export {
  type ChainMiddleware,
  type ChainMiddlewareOptions,
  chainMiddleware,
} from "./chain/chain-middleware.ts";
export { type AgentNode, type ChainNodeOptions, chainNode } from "./chain/chain-node.ts";
export type { ChainOptions } from "./chain/hop-messages.ts";
export { foldHops, isHopMessage, shownToUser } from "./chain/hop-messages.ts";
export { chainState } from "./tools/chain-state.ts";
