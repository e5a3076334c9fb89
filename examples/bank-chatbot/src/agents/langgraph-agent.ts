import { AIMessageChunk, type BaseMessageLike } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { type ApprovalRequest, chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import {
  type AgentParts,
  type AgentTurn,
  type BankAgent,
  INSTRUCTIONS,
  type PendingApproval,
} from "./agent.ts";

/** The bank chatbot on LangGraph: each hop is a turn of the graph, and approvals are its interrupts. */
export function createLangGraphAgent({ host, model: access }: AgentParts): BankAgent {
  const { url: baseURL, modelId, apiKey, fetch } = access;
  const model = new ChatOpenAI({
    ...{ model: modelId, apiKey, configuration: { baseURL, fetch } },
    ...{ streamUsage: true, maxRetries: 1 },
  });
  const agent = createAgent({
    ...{ model, systemPrompt: INSTRUCTIONS, checkpointer: new MemorySaver() },
    ...{ tools: createTools(host), middleware: [chainMiddleware(host)] },
  });
  const configurable = { thread_id: crypto.randomUUID() };
  let notes: BaseMessageLike[] = [];

  async function run(
    input: BaseMessageLike[] | Command,
    turn: AgentTurn,
  ): Promise<PendingApproval[]> {
    const stream = await agent.stream(input instanceof Command ? input : { messages: input }, {
      ...{ configurable, signal: turn.signal, recursionLimit: 60 },
      streamMode: ["messages", "updates"],
    });
    const pending: PendingApproval[] = [];
    for await (const [mode, chunk] of stream) {
      if (mode === "messages") {
        const [message] = chunk;
        if (AIMessageChunk.isInstance(message)) turn.onText(message.text);
      } else {
        const { __interrupt__: interrupts = [] } = chunk as Paused;
        pending.push(...interrupts.flatMap(({ value }) => toApprovals(value)));
      }
    }
    return pending;
  }

  /** One interrupt asks about all calls of a turn, and is answered when the customer has decided about each. */
  function toApprovals({ actionRequests }: ApprovalRequest): PendingApproval[] {
    const decisions: { readonly type: string }[] = [];
    return actionRequests.map(({ name, args, reason }, index) => ({
      ...{ toolName: name, arguments: args, reason },
      async decide(approved, turn) {
        decisions[index] = { type: approved ? "approve" : "reject" };
        const isOver = actionRequests.every((_, at) => decisions[at]);
        return isOver ? run(new Command({ resume: { decisions } }), turn) : [];
      },
    }));
  }

  return {
    say(text, turn) {
      const input = [...notes, text];
      notes = [];
      return run(input, turn);
    },
    note: (customer, bank) => void notes.push(["human", customer], ["ai", bank]),
  };
}

interface Paused {
  readonly __interrupt__?: readonly { readonly value: ApprovalRequest }[];
}
