/** The functions that Toolrail's packages share with the core. Internal: not covered by semantic versioning. @module */

export { needsApproval, questionId } from "./call/approval.ts";
export { abortError } from "./call/call-error.ts";
export { checkCallOptions, checkRequest } from "./call/check-call-options.ts";
export { definitionHash } from "./call/definition.ts";
export { KEY_META, toCallKey } from "./call/once.ts";
export { toToolTest } from "./call/tool-patterns.ts";
export { withOwnSignal } from "./call/until-aborted.ts";
export { createSchemaChecks } from "./call/value-checks.ts";
export { createWarnings } from "./call/voice.ts";
export { approvalText } from "./chain/approval-text.ts";
export { endByError, isWaiting, toPending } from "./chain/chain-end.ts";
export type { NextHop } from "./chain/next-hop.ts";
export { pausedDefect } from "./chain/resume-chain.ts";
export { type OptionTable, withMethods } from "./check-options.ts";
export { invalidOptions, toToolrailError } from "./errors.ts";
export type { CallSite, DecidedHop } from "./host/decide-hop.ts";
export type { TypedCalls } from "./host/host.ts";
export type { SchemaArguments, SchemaContent, SchemaValue } from "./host/tool-schemas.ts";
export { nearestName } from "./nearest-name.ts";
export { changeText, isHop } from "./result/hop.ts";
export type { McpClientLike } from "./servers/to-port.ts";
export type { GateVerdict } from "./types/call-options.ts";
export type { KeepOptions } from "./types/plugin.ts";
export type { PortOptions } from "./types/port.ts";
export { isUnread, toolText } from "./types/tool.ts";
