/** A rule-based stand-in for a model, behind the OpenAI-compatible HTTP form. It is not a model. */
export type { ChatMessage, ChatTool } from "./chat-request.ts";
export { findTool } from "./find-tool.ts";
export type { Decision, Rule, ToolCallDecision } from "./rule.ts";
export {
  type OfflineModel,
  type OfflineModelOptions,
  startOfflineModel,
} from "./start-offline-model.ts";
export type { ToolResult, Turn } from "./turn.ts";
export type { ModelCall } from "./usage.ts";
