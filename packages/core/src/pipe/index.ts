/** Pipes: several tool calls written as data and run together. @module */

export type { ParsePipeOptions, PipeVerdict } from "./compile/check-pipe.ts";
export { checkPipe, PARSE_OPTIONS, parsePipe } from "./compile/check-pipe.ts";
export { PIPE_TOOL_NAME } from "./compile/compile-steps.ts";
export type {
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  Pipe,
  PipeLimits,
} from "./pipe.ts";
export { DEFAULT_PIPE_LIMITS } from "./pipe.ts";
export { createPipeRun, type PipeRun, reportPipe } from "./run/pipe-run.ts";
export {
  advancePipe,
  type PausedPipe,
  type RunPipeOptions,
  resumePipe,
  runPipe,
} from "./run/run-pipe.ts";
export type { StepStage } from "./run/tool-step.ts";
export type { PipeProblem, PipeSpec } from "./spec/spec.ts";
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
  toPipeOutput,
  toPipeReply,
} from "./tool/reply.ts";
export type { PipeResult, StepResult, StepResults } from "./variables/results.ts";
export { innerResults } from "./variables/results.ts";
