/** The requirements of all adapters of Toolrail, as tests for any harness. @module */

export {
  type Capabilities,
  type ChainInput,
  type ChainOutcome,
  type ForgedCall,
  type GuardedOutcome,
  type GuardInput,
  type Harness,
  type ModelPart,
  modelNameOf,
  type PipeInput,
  type PipeOutcome,
  resumeByHost,
} from "./harness.ts";
export {
  createMemoryServer,
  type MemoryServer,
  type MemoryTool,
  type SeenCall,
  type ServedTools,
} from "./memory-server.ts";
export { type Requirement, type RequirementId, requirements } from "./requirements.ts";
export { type ConformanceOptions, runConformance, type TestRunner } from "./run-conformance.ts";
export type { ServeTools } from "./scenario.ts";
