/**
 * The functions for adapters, in addition to `@toolrail/core`: see docs/how-it-works.md. Follows semantic versioning. @module
 */

export type {
  CallListeners,
  ChangeOptions,
  HopResult,
  ToolCallResult,
} from "./call/call-options.ts";
export { notify } from "./call/events.ts";
export { resolveLimits } from "./call/limits.ts";
export { KEY_META, toCallKey } from "./call/once.ts";
export { askStore, toConversationKey } from "./call/store.ts";
export { isUnread, toolId, toToolTest } from "./call/tool.ts";
export { throwAborted, withOwnSignal } from "./call/until-aborted.ts";
export { createWarnings } from "./call/voice.ts";
export { approvalText, foldChains, type HistoryEntry } from "./chain/chain-end.ts";
export {
  hopId,
  isHopId,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
} from "./chain/pending-hop.ts";
export { createOptionCheck, type OptionTable, withMethods } from "./check-options.ts";
export { invalidOptions, toToolrailError } from "./errors.ts";
export { decideHop } from "./host/decide-hop.ts";
export { describeApproval, engineOf } from "./host/engine.ts";
export { mayAsk, offeredTools } from "./host/offered-tools.ts";
export type { SchemaArguments, SchemaContent } from "./host/tool-schemas.ts";
export { type HopSummary, toHopSummary, viewWithListeners } from "./host/view-with-listeners.ts";
export { nearestName } from "./nearest-name.ts";
export { isForUserAlone } from "./result/call-tool-result.ts";
export { isHop } from "./result/hop.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { allForUser, labelCalls, modelNameOf } from "./result/model-view.ts";
