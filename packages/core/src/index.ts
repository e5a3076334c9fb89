// Everything exported here is public API.

export { createValidator } from "#validator";
// Chains whose hops a framework makes
export type { CallPlace, ChainLedger, PlannedHop } from "./chain/chain-ledger.ts";
// Chains
export type { ChainEnd, ChainResult, PendingCall } from "./chain/chain-result.ts";
export type { ChainStore } from "./chain/chain-store.ts";
export { type HopTicket, hopId, isHopId } from "./chain/hop-ticket.ts";
export type { ChainProgress, NextHop } from "./chain/next-hop.ts";
export type { ApprovalDecision } from "./chain/resume-chain.ts";
// Errors
export { ToolrailError, type ToolrailErrorCode } from "./errors.ts";
// The guard: contracts, plans, one call a query
export type { PlannedVerdict } from "./guard/admit-planned.ts";
export {
  type Allowlist,
  type AllowlistEntry,
  type AllowlistVerdict,
  parseAllowlist,
} from "./guard/allowlist.ts";
export {
  type AnswerOptions,
  answerQuery,
  checkQuery,
  discoverTools,
  type QueryAnswer,
  type QueryVerdict,
  summarizeOutcome,
} from "./guard/answer-query.ts";
export { checkPlan, type PlanVerdict, toGuardOutcome } from "./guard/check-plan.ts";
export type { ContractFinding, ContractRule } from "./guard/contract-finding.ts";
export {
  fingerprintTools,
  type PinnedField,
  type ToolFingerprint,
  type ToolPins,
} from "./guard/fingerprint.ts";
export {
  type ClaimFault,
  checkSummary,
  type RejectedClaim,
  type SummaryOptions,
  type SummaryVerdict,
} from "./guard/grounding.ts";
export { type GuardOutcome, toBlocked } from "./guard/guard-outcome.ts";
export type { GuardedPipe, GuardedPipes } from "./guard/guarded-pipes.ts";
export type { GuardedQuery } from "./guard/guarded-query.ts";
export { isNotCalledText, outcomeText, outcomeView } from "./guard/outcome-view.ts";
export { type AnswerPlan, type CallPlan, type Plan, parsePlan } from "./guard/plan.ts";
export { plannerPrompt, summaryPrompt } from "./guard/planner-prompt.ts";
export type { QueryState } from "./guard/query-state.ts";
export { createQueryStore, type QueryStore } from "./guard/query-store.ts";
export {
  createSingleStep,
  type SingleStep,
  type SingleStepOptions,
  type TypedQuery,
  type TypedSingleStep,
  toSingleStep,
} from "./guard/single-step.ts";
export type { Claim, Summary, SummarySection } from "./guard/summary.ts";
export { type ContractOptions, type ContractTool, checkContract } from "./guard/tool-contract.ts";
export type { CallOptions, CallRequest } from "./host/call-request.ts";
// The host and its door
export { createHost, type Host, type TypedCalls } from "./host/create-host.ts";
export type { CallVerdict } from "./host/door.ts";
export type { HostEvent, Stage } from "./host/events.ts";
export type {
  Authorization,
  HostOptions,
  Interceptor,
  MetaRequest,
  ToolCall,
  ToolSchemas,
} from "./host/host-options.ts";
export type { Limits } from "./host/limits.ts";
export type { ClientKind, McpClientLike, Progress, ServerOption } from "./host/mcp-client.ts";
export { offeredTools } from "./host/offered-tools.ts";
export type { HostProblem, HostTool, ToolName, ToolRef } from "./host/tool.ts";
export type { ToolFilter } from "./host/tool-patterns.ts";
// JSON
export { canonicalJson, isJsonObject, type JsonObject } from "./json.ts";
// Pipes
export { PIPE_TOOL_NAME } from "./pipe/check-step-tool.ts";
// Pipes, for engines that run the steps themselves
export { concludePipe } from "./pipe/conclude-pipe.ts";
export { definePipeTool, type PipeToolSettings } from "./pipe/define-pipe-tool.ts";
export { drawMermaid } from "./pipe/draw-mermaid.ts";
export {
  checkPipe,
  type ParsePipeOptions,
  type PipeVerdict,
  parsePipe,
} from "./pipe/parse-pipe.ts";
export type { PipeHost } from "./pipe/pipe-host.ts";
export type { PipeLimits } from "./pipe/pipe-limits.ts";
export {
  type GroupPlan,
  isPipe,
  type NestedPlan,
  type Pipe,
  type PipeAuthor,
  type PipePlan,
  type StepPlan,
  type ToolPlan,
} from "./pipe/pipe-plan.ts";
export type { PipeProblem } from "./pipe/pipe-problem.ts";
export type {
  FailedStep,
  GroupResult,
  NestedResult,
  PipeResult,
  StepResult,
  ToolStepResult,
} from "./pipe/pipe-result.ts";
export {
  beginStep,
  createPipeRun,
  type PipeRun,
  type PipeRunOptions,
  refuseStep,
  reportPipe,
} from "./pipe/pipe-run.ts";
export { addStep, createScope, type PipeScope, type StepView } from "./pipe/pipe-scope.ts";
export type {
  NestedStep,
  ParallelStep,
  PipeSpec,
  PipeStep,
  ToolStep,
} from "./pipe/pipe-spec.ts";
export { pipeSpecSchema } from "./pipe/pipe-spec-schema.ts";
export {
  describePipeTool,
  type PipeReply,
  type PipeToolDefinition,
  type PipeToolOptions,
  toPipeReply,
} from "./pipe/pipe-tool.ts";
export { type RunPipeOptions, runPipe } from "./pipe/run-pipe.ts";
export { runToolStep } from "./pipe/run-tool-step.ts";
export { enterNested, topVars } from "./pipe/select-result.ts";
export { endGroup, endNested } from "./pipe/step-outcome.ts";
export type { Audience, CallToolResult, ContentBlock } from "./result/call-tool-result.ts";
export type { CallOrigin, Hop, OutputVerdict } from "./result/hop.ts";
export {
  type ModelView,
  type ModelViewOptions,
  modelView,
  type ResultSource,
} from "./result/model-view.ts";
export { type UserView, userView } from "./result/user-view.ts";
export type { JsonSchemaValidator, JsonSchemaVerdict } from "./schema/json-schema.ts";
export { toStandardSchema } from "./schema/standard-schema.ts";
