/**
 * The functions for adapters, in addition to `@toolrail/core`: see docs/how-it-works.md. Follows semantic versioning. @module
 */

export { resolveLimits } from "./call/limits.ts";
export { toConversationKey } from "./call/memory-store.ts";
export { notify } from "./call/notify.ts";
export { KEY_META, toCallKey } from "./call/once.ts";
export { askStore } from "./call/store.ts";
export { toToolTest } from "./call/tool-patterns.ts";
export { throwAborted, withOwnSignal } from "./call/until-aborted.ts";
export { createWarnings } from "./call/voice.ts";
export { approvalText } from "./chain/approval-text.ts";
export { foldChains, type HistoryEntry } from "./chain/fold.ts";
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
export { describeApproval } from "./host/describe-approval.ts";
export type { TypedCalls } from "./host/host.ts";
export { engineOf } from "./host/host-engine.ts";
export { mayAsk, offeredTools } from "./host/offered-tools.ts";
export type { SchemaArguments, SchemaContent } from "./host/tool-schemas.ts";
export { type HopSummary, toHopSummary, viewWithListeners } from "./host/view-with-listeners.ts";
export { nearestName } from "./nearest-name.ts";
export { isForUserAlone } from "./result/content-block.ts";
export { isHop } from "./result/hop.ts";
export { labelCalls } from "./result/label-calls.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { allForUser, modelNameOf } from "./result/model-view.ts";
export type {
  CallListeners,
  ChangeOptions,
  HopResult,
  ToolCallResult,
} from "./types/listeners.ts";
export { isUnread, toolId } from "./types/tool.ts";
