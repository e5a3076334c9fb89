import { countTokens as countIn } from "gpt-tokenizer/encoding/o200k_base";
import type { ChatRequest } from "./chat-request.ts";
import type { Decision } from "./rule.ts";

/** The costs of one request in o200k tokens, which are counted and not estimated. */
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
    promptTokens:
      countTokens(JSON.stringify(messages)) + countTokens(JSON.stringify(toolsAsSent) ?? ""),
    completionTokens: countTokens(completion),
  };
}

/** The o200k tokens of a text. */
export function countTokens(text: string): number {
  // Text such as "<|endoftext|>" in a message is plain text here, not an error.
  return countIn(text, { disallowedSpecial: new Set<string>() });
}
