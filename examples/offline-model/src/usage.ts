import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { ChatRequest } from "./chat-request.ts";
import type { Decision } from "./rule.ts";

/** What one request cost, in o200k tokens, counted and not estimated. */
export interface ModelCall {
  /** The JSON of the messages and of the tools. */
  readonly promptTokens: number;
  /** The text, or the JSON of the tool calls. */
  readonly completionTokens: number;
}

export function countUsage(request: ChatRequest, decision: Decision): ModelCall {
  const { messages, toolsAsSent } = request;
  const completion = "text" in decision ? decision.text : JSON.stringify(decision.toolCalls);
  return {
    promptTokens: count(JSON.stringify(messages)) + count(JSON.stringify(toolsAsSent) ?? ""),
    completionTokens: count(completion),
  };
}

function count(text: string): number {
  // Text such as "<|endoftext|>" in a message is plain text here, not an error.
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}
