import { llmSteps, withChaining } from "@toolrail/ai-sdk";
import { type ModelMessage, streamText } from "ai";
import { INSTRUCTIONS } from "../../agents/instructions.ts";
import { noteIn, streamAnswer, toLanguageModel } from "./stream-answer.ts";
import type { AgentTurn, PendingApproval, WebAgent, WebAgentParts } from "./web-agent.ts";

/** The bank chatbot on the AI SDK: each hop is a step of the run, approvals included. */
export function createAiSdkAgent({ host, model: access }: WebAgentParts): WebAgent {
  const messages: ModelMessage[] = [];
  const model = toLanguageModel(access);

  async function answer(turn: AgentTurn): Promise<PendingApproval[]> {
    const settings = withChaining(host, {
      model,
      instructions: INSTRUCTIONS,
      messages,
      abortSignal: turn.signal,
      stopWhen: [llmSteps(8), () => turn.isOver()],
      onError: () => {},
    });
    return streamAnswer(streamText(settings), { host, messages, turn, resume: answer });
  }

  return {
    say(text, turn) {
      messages.push({ role: "user", content: text });
      return answer(turn);
    },
    note: noteIn(messages),
  };
}
