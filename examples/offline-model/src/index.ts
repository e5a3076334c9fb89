/** A fake model that follows rules, behind the OpenAI-compatible HTTP form. */
export type { ChatMessage, ChatTool } from "./chat-request.ts";
export { findTool } from "./find-tool.ts";
export type { ProviderProfile } from "./provider-profile.ts";
export type { Decision, Rule, ToolCallDecision } from "./rule.ts";
export {
  type OfflineModel,
  type OfflineModelOptions,
  startOfflineModel,
} from "./start-offline-model.ts";
export type { ToolResult, Turn } from "./turn.ts";
export { countTokens, type ModelCall } from "./usage.ts";
