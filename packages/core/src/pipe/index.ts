/** Pipes: several calls as data, run at one go. @module */

export { checkPipe, type ParsePipeOptions, type PipeVerdict, parsePipe } from "./check-pipe.ts";
export { PIPE_TOOL_NAME } from "./compile-tool-step.ts";
export type {
  CompiledEach,
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  PipeAuthor,
} from "./compiled-pipe.ts";
export {
  definePipeTool,
  type PipeToolCall,
  type PipeToolDefinition,
  type PipeToolListeners,
  type PipeToolSettings,
} from "./define-pipe-tool.ts";
export { drawMermaid } from "./draw-mermaid.ts";
export type { PipeAnswers } from "./paused-pipe.ts";
export type { Pipe } from "./pipe.ts";
export type { PipeLimits } from "./pipe-limits.ts";
export type { PipeProblem } from "./pipe-problem.ts";
export { type FailedStep, type PipeReply, toPipeReply } from "./pipe-reply.ts";
export type {
  EachResult,
  GroupResult,
  NestedResult,
  PausedPipe,
  PipeResult,
  StepResult,
  StepResults,
  ToolStepResult,
} from "./pipe-result.ts";
export { pipeServer, type ServedPipe, type ServedPipes } from "./pipe-server.ts";
export type {
  EachStep,
  NestedStep,
  ParallelStep,
  PipeSpec,
  PipeStep,
  ToolStep,
} from "./pipe-spec.ts";
export { type ResumePipeOptions, type RunPipeOptions, resumePipe, runPipe } from "./run-pipe.ts";
export type { PipeFlow } from "./types.ts";
