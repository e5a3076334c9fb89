/**
 * A host that checks, authorizes and records every MCP tool call, and what a model or a user reads of its results. Pipes,
 * the guard, contracts, plugins and tracing have entries of their own.
 *
 * @module
 */

export { type AudienceOptions, type Audiences, audience } from "./call/audiences.ts";
export type { ToolFilter } from "./call/tool-patterns.ts";
export type { NextTool, NextToolKey } from "./chain/next-tool.ts";
export type { ApprovalDecision, InputDecision } from "./chain/resume-chain.ts";
export { ToolrailError, type ToolrailErrorCode } from "./errors.ts";
export { createHost } from "./host/create-host.ts";
export type { Host, TypedCalls, TypedHost } from "./host/host.ts";
export type {
  ConnectOptions,
  ConnectServer,
  HostOptions,
  HostServer,
} from "./host/host-options.ts";
export type {
  SchemaArguments,
  SchemaContent,
  SchemaValue,
  ToolSchema,
  ToolSchemas,
} from "./host/tool-schemas.ts";
export type { CallToolResult } from "./result/call-tool-result.ts";
export type { ChainEnd, ChainResult, PendingCall } from "./result/chain-result.ts";
export type { Audience, ContentBlock } from "./result/content-block.ts";
export type { CallOrigin, Hop, OutputVerdict } from "./result/hop.ts";
export type {
  InputForm,
  InputRequest,
  InputResponse,
  InputResponses,
} from "./result/input-request.ts";
export { type ModelView, modelView, type ResultSource } from "./result/model-view.ts";
export type { UsedReference } from "./result/used-reference.ts";
export { type UserView, userView } from "./result/user-view.ts";
export type { ClientKind, McpClientLike, ServerOption } from "./servers/to-port.ts";
export type { Admission, CallOptions, CallRequest } from "./types/call-options.ts";
export type { HostEvent, Stage } from "./types/events.ts";
export type { Limits } from "./types/limits.ts";
export type {
  KeepOptions,
  NextCall,
  NextCallContext,
  Plugin,
  PluginKit,
  PluginTool,
  Use,
} from "./types/plugin.ts";
export type {
  ListRequest,
  McpPort,
  PortOptions,
  Progress,
  RequestHeaders,
  ResourceRequest,
  ToolCallRequest,
} from "./types/port.ts";
export type { Store } from "./types/store.ts";
export type {
  HostProblem,
  HostTool,
  NamedTools,
  ToolFinding,
  ToolName,
  ToolRef,
} from "./types/tool.ts";
export type {
  ArgumentSource,
  Authorization,
  Interceptor,
  MetaRequest,
  Policy,
  Provenance,
  ReceivedForm,
  ToolCall,
} from "./types/tool-call.ts";
export type { ScreenContext, ScreenVerdict } from "./types/tool-screen.ts";
