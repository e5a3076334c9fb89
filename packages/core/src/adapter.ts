/**
 * The functions for adapters, in addition to `@toolrail/core`: see docs/how-it-works.md. Follows semantic versioning. @module
 */

export { approvalText } from "./call/approval.ts";
export type {
  AdapterCallOptions,
  CallListeners,
  ChangeOptions,
  HopResult,
  ToolCallResult,
} from "./call/call-options.ts";
export { notify } from "./call/events.ts";
export { isUnread, toolId, toToolTest } from "./call/tool.ts";
export { throwAborted, withOwnSignal } from "./call/until-aborted.ts";
export { createWarnings } from "./call/voice.ts";
export { foldChains, type HistoryEntry } from "./chain/fold-chains.ts";
export {
  hopId,
  isHopId,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
} from "./chain/pending-hop.ts";
export { createOptionCheck, type OptionTable } from "./check-options.ts";
export { invalidOptions, toToolrailError } from "./errors.ts";
export { engineOf } from "./host/engine.ts";
export {
  decideHop,
  describeApproval,
  type HopSummary,
  offeredTools,
  toHopSummary,
  viewWithListeners,
} from "./host/for-adapters.ts";
export { nearestName } from "./nearest-name.ts";
export { isHop } from "./result/hop.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { allForUser, labelCalls, modelNameOf } from "./result/model-view.ts";
