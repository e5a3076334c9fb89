/** Pipes: several tool calls written as data and run together. @module */

export type { ParsePipeOptions, PipeVerdict } from "./compile/check-pipe.ts";
export { checkPipe, parsePipe } from "./compile/check-pipe.ts";
export { PIPE_TOOL_NAME } from "./compile/compile-tool-step.ts";
export type { PipeLimits } from "./limits.ts";
export type { Pipe } from "./pipe.ts";
export { type RunPipeOptions, resumePipe, runPipe } from "./run/run-pipe.ts";
export type { PipeProblem } from "./spec/problems.ts";
export type { PipeSpec } from "./spec/spec.ts";
export {
  definePipeTool,
  type PipeToolCall,
  type PipeToolDefinition,
  type PipeToolListeners,
  type PipeToolSettings,
} from "./tool/define-tool.ts";
export { type PipeOutput, type PipeReply, toPipeReply } from "./tool/reply.ts";
export type { PausedPipe, PipeResult, StepResult, StepResults } from "./types.ts";
