/** The requirements of all adapters of Toolrail, as tests for any harness. @module */

export type {
  Capabilities,
  ChainInput,
  ChainOutcome,
  ForgedCall,
  GuardedOutcome,
  GuardInput,
  Harness,
  ModelPart,
  PipeInput,
  PipeOutcome,
} from "./harness.ts";
export {
  createMemoryServer,
  type MemoryServer,
  type MemoryTool,
  type SeenCall,
  type ServedTools,
} from "./memory-server.ts";
export { modelNameOf } from "./model-name-of.ts";
export { type Requirement, type RequirementId, requirements } from "./requirements.ts";
export { resumeByHost } from "./resume-by-host.ts";
export { type ConformanceOptions, runConformance, type TestRunner } from "./run-conformance.ts";
export type { ServeTools } from "./scenario.ts";
