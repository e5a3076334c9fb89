/** What adapters and engines need besides the other entries. Unstable: it may change in any release. @module */

export { abortError } from "./call/call-error.ts";
export { KEY_META, toCallKey } from "./call/call-key.ts";
export { type HopSummary, toHopSummary } from "./call/call-listeners.ts";
export { checkCall, checkCallOptions } from "./call/check-call-options.ts";
export { definitionHash } from "./call/definition.ts";
export { resolveLimits } from "./call/limits.ts";
export { createMemoryStore, toConversationKey } from "./call/memory-store.ts";
export { needsApproval } from "./call/needs-approval.ts";
export { notify } from "./call/notify.ts";
export {
  type CallWord,
  type FrameworkCall,
  type RememberedAdmissions,
  rememberAdmissions,
} from "./call/remember-admissions.ts";
export { askInTime, askStore, claimOnce } from "./call/store.ts";
export { toPattern } from "./call/tool-patterns.ts";
export { DEPTH, throwAborted, withOwnSignal } from "./call/until-aborted.ts";
export { createSchemaChecks } from "./call/value-checks.ts";
export { createWarnings } from "./call/voice.ts";
export { approvalText } from "./chain/approval-text.ts";
export { chainEndOf, isWaiting, toPending } from "./chain/chain-end.ts";
export { type FoldedChains, foldChains, type HistoryEntry } from "./chain/fold.ts";
export type { NextHop } from "./chain/next-hop.ts";
export { toNextTool } from "./chain/next-tool.ts";
export { pausedDefect, toAnswered } from "./chain/resume-chain.ts";
export {
  type CallSite,
  type DecidedHop,
  decideHop,
  type HopTicket,
  hopId,
  isHopId,
  isHopTicket,
  ticketDefect,
} from "./chain/ticket.ts";
export { createOptionCheck, type OptionTable, oneOf, withMethods } from "./check-options.ts";
export { toToolrailError } from "./errors.ts";
export { defineReadTool, engineOf, type HostEngine } from "./host/host-engine.ts";
export { viewWithListeners } from "./host/view-with-listeners.ts";
export { nearestName, suggestName } from "./nearest-name.ts";
export { type Address, isAddressId, parseAddress, toAddressId } from "./result/address.ts";
export { plainBlock } from "./result/content-block.ts";
export { isHop, isLeftOut, toRef } from "./result/hop.ts";
export { labelCalls, type ToldCall } from "./result/label-calls.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { modelText } from "./result/model-text.ts";
export {
  allForUser,
  isForModel,
  isForUserAlone,
  modelNameOf,
  visibleBlocks,
} from "./result/model-view.ts";
export { READ_TOOL_NAME } from "./servers/model-names.ts";
export type { Gate, GateVerdict } from "./types/call-options.ts";
export type { HostReport } from "./types/events.ts";
export type { CallListeners, HopResult, ToolCallResult } from "./types/listeners.ts";
export type {
  HostKit,
  HostPlugin,
  HostUse,
  OnceRule,
  ResolvedArguments,
  ResourceTool,
} from "./types/plugin.ts";
export type {
  Finding,
  HopRow,
  HopRows,
  HostServices,
  KeptResult,
  KeptResults,
  ReadTool,
  ShortHop,
} from "./types/services.ts";
export type { ClaimingStore } from "./types/store.ts";
export { isUnread, RESOURCES, toolId, toolText } from "./types/tool.ts";
