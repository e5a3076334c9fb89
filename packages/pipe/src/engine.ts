/** The parts of pipes that other engines need, such as the compiled graphs of `@toolrail/langgraph`. Unstable: it may change in any release. @module */

export { PARSE_OPTIONS } from "./compile/check-pipe.ts";
export { DEFAULT_PIPE_LIMITS } from "./limits.ts";
export { concludePipe } from "./run/conclude-pipe.ts";
export { joinResults } from "./run/kept-bytes.ts";
export { createPipeRun, reportPipe } from "./run/run-context.ts";
export { beginStep, endStep } from "./run/step-stage.ts";
export { resumeToolStep, runToolStep } from "./run/tool-step.ts";
export { PIPE_TOOL_OPTIONS } from "./tool/define-tool.ts";
export { answerPipe, preparePipe, toPipeOutput } from "./tool/reply.ts";
export type {
  CompiledGroup,
  CompiledNested,
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  PipeRun,
  StepBegun,
  StepEnded,
  StepWaiting,
  Variables,
} from "./types.ts";
export { innerResults, toStepResult } from "./variables/results.ts";
export { addStep, enterNested, topVariables } from "./variables/variables.ts";
