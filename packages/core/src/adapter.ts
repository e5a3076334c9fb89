/**
 * The functions for adapters, in addition to `@toolrail/core`: see docs/adapters.md. Follows semantic versioning. @module
 */

export { notify } from "./call/notify.ts";
export { throwAborted } from "./call/until-aborted.ts";
export { foldChains, type HistoryEntry } from "./chain/fold.ts";
export {
  hopId,
  isHopId,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
} from "./chain/pending-hop.ts";
export { createOptionCheck } from "./check-options.ts";
export { decideHop } from "./host/decide-hop.ts";
export { describeApproval } from "./host/describe-approval.ts";
export { mayAsk, offeredTools } from "./host/offered-tools.ts";
export { type HopSummary, toHopSummary, viewWithListeners } from "./host/view-with-listeners.ts";
export { labelCalls } from "./result/label-calls.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { allForUser, modelNameOf } from "./result/model-view.ts";
export type {
  CallListeners,
  ChangeOptions,
  HopResult,
  ToolCallResult,
} from "./types/listeners.ts";
