import { modelView } from "@toolrail/core";
import { connectBank } from "../agents/connect-bank.ts";
import type { Mode, TurnInput } from "../conversation/conversation-view.ts";
import { type Conversation, createConversation } from "../conversation/create-conversation.ts";
import { openQuestion } from "../conversation/open-question.ts";
import { toTexts } from "../conversation/to-texts.ts";
import type { ModelEndpoint } from "./connect-model.ts";
import { type TurnReport, toTurnReport } from "./turn-report.ts";

export interface RailsOptions {
  readonly bank: URL;
  readonly endpoint: ModelEndpoint;
  readonly mode: Mode;
}

/** A conversation on rails that reports each turn. */
export interface Rails extends Pick<Conversation, "close"> {
  take(input: TurnInput): Promise<TurnReport>;
  /** Rejects if the turn has a problem. */
  say(text: string): Promise<TurnReport>;
  question(): ReturnType<typeof openQuestion>;
}

export function openRails({ bank, ...options }: RailsOptions): Rails {
  let modelRead: string[] = [];
  let problem: unknown;
  const conversation = createConversation({
    ...{ ...options, connect: () => connectBank(bank) },
    onHop(hop) {
      const { content, placeholder } = modelView(hop);
      if (!placeholder) modelRead.push(...toTexts(content));
    },
    onProblem(error) {
      problem = error;
    },
  });

  async function take(input: TurnInput): Promise<TurnReport> {
    modelRead = [];
    problem = undefined;
    const before = conversation.view().entries.length;
    await conversation.take(input);
    return toTurnReport(conversation.view().entries.slice(before), modelRead);
  }

  return {
    ...{ take, close: conversation.close, question: () => openQuestion(conversation.view()) },
    async say(text) {
      const report = await take({ type: "text", text });
      if (problem) throw problem;
      return report;
    },
  };
}
