/** What adapters and engines need besides the other entries. Unstable: it may change in any release. @module */

export type { Gate } from "./call/admission.ts";
export {
  type CallListeners,
  type HopResult,
  type HopSummary,
  type ToolCallResult,
  toHopSummary,
} from "./call/call-listeners.ts";
export type { ShortHop } from "./call/hop-rows.ts";
export { resolveLimits } from "./call/limits.ts";
export { createMemoryStore, toScopedKey } from "./call/memory-store.ts";
export { notify } from "./call/notify.ts";
export {
  type CallWord,
  type FrameworkCall,
  type RememberedAdmissions,
  rememberAdmissions,
} from "./call/remember-admissions.ts";
export { askStore } from "./call/store.ts";
export { isUnread, toolId } from "./call/tool.ts";
export { throwAborted, withOwnSignal } from "./call/until-aborted.ts";
export { createWarnings } from "./call/voice.ts";
export { isWaiting, toPending } from "./chain/chain-end.ts";
export { type FoldedChains, foldChains, type HistoryEntry } from "./chain/fold.ts";
export type { NextHop } from "./chain/next-hop.ts";
export { toAnswered } from "./chain/resume-chain.ts";
export {
  type CallPlace,
  type DecidedHop,
  decideHop,
  type HopTicket,
  hopId,
  isHopId,
  isHopTicket,
  ticketDefect,
} from "./chain/ticket.ts";
export {
  createOptionCheck,
  type OptionTable,
  oneOf,
  withMethods,
} from "./check-options.ts";
export { toToolrailError } from "./errors.ts";
export { sha256 } from "./hash.ts";
export { engineOf, type HostEngine } from "./host/host-engine.ts";
export { defineReadTool } from "./host/read-tool.ts";
export { viewWithListeners } from "./host/view-with-listeners.ts";
export { canonicalJson, isJsonObject, measure } from "./json.ts";
export { nearestName } from "./nearest-name.ts";
export { concludePipe } from "./pipe/conclude-pipe.ts";
export { PIPE_TOOL_OPTIONS } from "./pipe/define-pipe-tool.ts";
export { type ItemStep, itemSteps } from "./pipe/item-steps.ts";
export { dropTooMuch } from "./pipe/kept-bytes.ts";
export { findKept, keepReply, withoutLongSteps } from "./pipe/kept-vars.ts";
export { DEFAULT_PIPE_LIMITS } from "./pipe/pipe-limits.ts";
export { byId, innerResults, ranSteps } from "./pipe/pipe-result.ts";
export { createPipeRun, type PipeRun, reportPipe } from "./pipe/pipe-run.ts";
export {
  addStep,
  enterNested,
  topScope,
} from "./pipe/pipe-scope.ts";
export { resumeToolStep, runToolStep, type ToolTurn } from "./pipe/run-tool-step.ts";
export { failureText, toStepResult } from "./pipe/step-result.ts";
export {
  beginStep,
  endStep,
  type StepBegun,
  type StepEnded,
  type StepStage,
  type StepWaiting,
} from "./pipe/step-stage.ts";
export type { PipeScope } from "./pipe/types.ts";
export { plainText } from "./plain-text.ts";
export { isHop, toRef } from "./result/hop.ts";
export { labelCalls, type ToldCall } from "./result/label-calls.ts";
export { type ModelPart, partText, toModelParts } from "./result/model-parts.ts";
export { allForUser, isForUserAlone, modelNameOf } from "./result/model-view.ts";
export { modelSchema } from "./schema/model-schema.ts";
export { mapSubschemas } from "./schema/schema-tree.ts";
