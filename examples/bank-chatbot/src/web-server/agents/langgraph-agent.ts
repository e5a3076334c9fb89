import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { type ApprovalRequest, chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent, createMiddleware } from "langchain";
import { INSTRUCTIONS } from "../../agents/instructions.ts";
import {
  type AgentTurn,
  type ModelAccess,
  type PendingApproval,
  type WebAgent,
  type WebAgentParts,
  WITHDRAWN,
} from "./web-agent.ts";

/** The bank chatbot on LangGraph: each hop is a turn of the graph, and approvals are its interrupts. */
export function createLangGraphAgent({ host, model }: WebAgentParts): WebAgent {
  const checkpointer = new MemorySaver();
  const configurable = { thread_id: crypto.randomUUID() };
  let notes: BaseMessage[] = [];

  async function run(input: BaseMessage[] | Command, turn: AgentTurn): Promise<PendingApproval[]> {
    const agent = createAgent({
      model: toChatModel(model, (token) => turn.output.text(token)),
      systemPrompt: INSTRUCTIONS,
      tools: createTools(host),
      checkpointer,
      middleware: [chainMiddleware(host, { endWhenShown: true }), stopWhenOver(turn)],
    });
    const config = { configurable, signal: turn.signal, recursionLimit: 60 };
    const state: unknown = await agent.invoke(
      input instanceof Command ? input : { messages: input },
      config,
    );
    const { __interrupt__: interrupts = [] } = state as PausedState;
    return interrupts.flatMap(({ value }) => value?.actionRequests.map(toApproval) ?? []);
  }

  /** Results for calls that were left: a new input ends what was pending, and models want them all. */
  async function leftResults(): Promise<ToolMessage[]> {
    const kept = (await checkpointer.getTuple({ configurable }))?.checkpoint.channel_values;
    return withdrawnResults((kept?.messages ?? []) as BaseMessage[]);
  }

  function toApproval({ name, args }: ApprovalRequest["actionRequests"][number]): PendingApproval {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    return {
      call: { server: tool?.server ?? "", tool: tool?.name ?? name, arguments: args },
      decide(approved, turn) {
        const decision = approved ? { type: "approve" } : { type: "reject" };
        return run(new Command({ resume: { decisions: [decision] } }), turn);
      },
      withdraw: () => {},
    };
  }

  return {
    async say(text, turn) {
      const input = [...(await leftResults()), ...notes, new HumanMessage(text)];
      notes = [];
      return run(input, turn);
    },
    note: (customer, bank) => void notes.push(new HumanMessage(customer), new AIMessage(bank)),
  };
}

interface PausedState {
  readonly __interrupt__?: readonly { readonly value?: ApprovalRequest }[];
}

function withdrawnResults(messages: readonly BaseMessage[]): ToolMessage[] {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const answered = messages.flatMap((message) =>
    ToolMessage.isInstance(message) ? message.tool_call_id : [],
  );
  return (last?.tool_calls ?? []).flatMap(({ id = "" }) =>
    answered.includes(id) ? [] : new ToolMessage({ tool_call_id: id, content: WITHDRAWN }),
  );
}

/** Leaves the model out where the customer has to act first. */
function stopWhenOver(turn: AgentTurn) {
  return createMiddleware({
    name: "StopWhenOver",
    wrapModelCall: (request, handler) =>
      turn.isOver() ? new AIMessage("The customer has been asked.") : handler(request),
  });
}

function toChatModel(
  { url: baseURL, modelId, apiKey, fetch }: ModelAccess,
  onToken: (token: string) => void,
): ChatOpenAI {
  // Streams because somebody listens; `streaming: true` would count tokens with a table from the web.
  const listener = {
    lc_prefer_streaming: true,
    handleLLMNewToken: (token: string) => onToken(token),
  };
  return new ChatOpenAI({
    model: modelId,
    apiKey,
    configuration: { baseURL, fetch },
    streamUsage: true,
    maxRetries: 1,
    callbacks: [listener],
  });
}
