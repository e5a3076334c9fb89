import { withSingleStep } from "@toolrail/ai-sdk";
import { type ModelMessage, streamText } from "ai";
import { INSTRUCTIONS } from "../../agents/instructions.ts";
import { noteIn, streamAnswer, toLanguageModel } from "./stream-answer.ts";
import type { AgentTurn, PendingApproval, WebAgent, WebAgentParts } from "./web-agent.ts";

/** What a query may call, and which of it a person has to approve. Everything else is refused. */
const ALLOWLIST = {
  "bank.list_accounts": "allow",
  "bank.get_account_balance": "allow",
  "bank.check_account_issue": "allow",
  "bank.request_agent_handoff": "allow",
  "bank.begin_transfer": "allow",
  "bank.prepare_money_transfer": "ask",
} as const;

/** The bank chatbot in guard mode: one call a query, of a tool on the operator's list. */
export function createGuardAgent({ host, model: access }: WebAgentParts): WebAgent {
  const messages: ModelMessage[] = [];
  const model = toLanguageModel(access);

  async function answer(turn: AgentTurn, queryId: string): Promise<PendingApproval[]> {
    const settings = withSingleStep(host, {
      model,
      instructions: INSTRUCTIONS,
      messages,
      abortSignal: turn.signal,
      stopWhen: () => turn.isOver(),
      onError: () => {},
      singleStep: { allow: ALLOWLIST, queryId },
    });
    const resume = (next: AgentTurn) => answer(next, queryId);
    return streamAnswer(streamText(settings), { host, messages, turn, resume });
  }

  return {
    say(text, turn) {
      messages.push({ role: "user", content: text });
      return answer(turn, crypto.randomUUID());
    },
    note: noteIn(messages),
  };
}
