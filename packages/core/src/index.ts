/**
 * The host, which checks, authorizes and records every MCP tool call, and the views of its results for models and users.
 * Pipes, the guard, contracts, plugins and tracing have separate entries.
 *
 * @module
 */

export { audience } from "./call/audiences.ts";
export type {
  CallOptions,
  CallRequest,
  CallVerdict,
  Policy,
  ReceivedInput,
  ToolCall,
} from "./call/call-options.ts";
export type { HostEvent } from "./call/events.ts";
export type { Limits } from "./call/limits.ts";
export type { Plugin, Use } from "./call/plugin.ts";
export type { McpPort, Progress } from "./call/port.ts";
export type { Store } from "./call/store.ts";
export type { Tool, ToolFilter, ToolRef } from "./call/tool.ts";
export type { NextTool } from "./chain/next-tool.ts";
export { ToolrailError, type ToolrailErrorCode } from "./errors.ts";
export { createHost } from "./host/create-host.ts";
export type { Host, TypedHost } from "./host/host.ts";
export type { HostOptions, Server } from "./host/host-options.ts";
export type { CallToolResult, ContentBlock } from "./result/call-tool-result.ts";
export type {
  CallOrigin,
  ChainEnd,
  ChainResult,
  Decision,
  Hop,
  PendingCall,
} from "./result/hop.ts";
export { type ModelView, modelView, type UserView, userView } from "./result/model-view.ts";
