/**
 * The host, which checks, authorizes and records every MCP tool call, and the views of its results for models and users.
 * Pipes, the guard, contracts, plugins and tracing have separate entries.
 *
 * @module
 */

export { audience } from "./call/audiences.ts";
export type { ToolFilter } from "./call/tool-patterns.ts";
export type { NextTool } from "./chain/next-tool.ts";
export { ToolrailError, type ToolrailErrorCode } from "./errors.ts";
export { createHost } from "./host/create-host.ts";
export type { Host, TypedHost } from "./host/host.ts";
export type { HostOptions, Server } from "./host/host-options.ts";
export type { ToolSchemas } from "./host/tool-schemas.ts";
export type { CallToolResult } from "./result/call-tool-result.ts";
export type { ChainEnd, ChainResult, Decision, PendingCall } from "./result/chain-result.ts";
export type { ContentBlock } from "./result/content-block.ts";
export type { CallOrigin, Hop } from "./result/hop.ts";
export { type ModelView, modelView } from "./result/model-view.ts";
export { type UserView, userView } from "./result/user-view.ts";
export type { CallOptions, CallRequest, CallVerdict } from "./types/call-options.ts";
export type { HostEvent } from "./types/events.ts";
export type { Limits } from "./types/limits.ts";
export type { Plugin, Use } from "./types/plugin.ts";
export type { McpPort, Progress } from "./types/port.ts";
export type { Store } from "./types/store.ts";
export type { Tool, ToolRef } from "./types/tool.ts";
export type { Policy, ReceivedInput, ToolCall } from "./types/tool-call.ts";
