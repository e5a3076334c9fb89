/** What another engine for pipes needs, as the compiled graphs of `@toolrail/langgraph` do. Unstable: it may change in any release. @module */

export { DEFAULT_PIPE_LIMITS } from "./limits.ts";
export { concludePipe } from "./run/conclude-pipe.ts";
export { type ItemStep, itemSteps } from "./run/item-steps.ts";
export { dropTooMuch } from "./run/kept-bytes.ts";
export { byId, innerResults, ranSteps } from "./run/results.ts";
export { createPipeRun, type PipeRun, reportPipe } from "./run/run-context.ts";
export { addStep, enterNested, topScope } from "./run/scope.ts";
export { failureText, toStepResult } from "./run/step-result.ts";
export {
  beginStep,
  endStep,
  type StepBegun,
  type StepEnded,
  type StepStage,
  type StepWaiting,
} from "./run/step-stage.ts";
export { resumeToolStep, runToolStep, type ToolTurn } from "./run/tool-step.ts";
export { PIPE_TOOL_OPTIONS } from "./tool/define-tool.ts";
export { findKept, keepReply, withoutLongSteps } from "./tool/kept-vars.ts";
export type { PipeScope } from "./types.ts";
