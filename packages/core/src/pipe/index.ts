/** Pipes: several tool calls written as data and run together. @module */

export type { ParsePipeOptions, PipeVerdict } from "./compile/check-pipe.ts";
export { checkPipe, PARSE_OPTIONS, parsePipe } from "./compile/check-pipe.ts";
export { PIPE_TOOL_NAME } from "./compile/compile-tool-step.ts";
export type { PipeLimits } from "./limits.ts";
export { DEFAULT_PIPE_LIMITS } from "./limits.ts";
export type { Pipe } from "./pipe.ts";
export { concludePipe } from "./run/conclude-pipe.ts";
export { joinResults } from "./run/kept-bytes.ts";
export type { PausedPipe } from "./run/paused-pipe.ts";
export { createPipeRun, reportPipe } from "./run/run-context.ts";
export { type RunPipeOptions, resumePipe, runPipe } from "./run/run-pipe.ts";
export { beginStep, endStep } from "./run/step-stage.ts";
export { resumeToolStep, runToolStep } from "./run/tool-step.ts";
export type { PipeProblem } from "./spec/problems.ts";
export type { PipeSpec } from "./spec/spec.ts";
export {
  definePipeTool,
  PIPE_TOOL_OPTIONS,
  type PipeToolCall,
  type PipeToolDefinition,
  type PipeToolListeners,
  type PipeToolSettings,
} from "./tool/define-tool.ts";
export {
  answerPipe,
  type PipeOutput,
  type PipeReply,
  preparePipe,
  toPipeOutput,
  toPipeReply,
} from "./tool/reply.ts";
export type {
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  PipeResult,
  PipeRun,
  StepBegun,
  StepEnded,
  StepResult,
  StepResults,
  StepWaiting,
  Variables,
} from "./types.ts";
export { innerResults, toStepResult } from "./variables/results.ts";
export { addStep, enterNested, topVariables } from "./variables/variables.ts";
