// The same assistant as a graph built by hand, with a person who approves hand-offs. Run it from this folder:
//   node --conditions=@toolrail/source src/state-graph.ts
import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { INSTRUCTIONS } from "@toolrail/example-bank-chatbot/src/agents/agent.ts";
import { CONVERSATION } from "@toolrail/example-bank-chatbot/src/demo/both-ways.ts";
import { type ApprovalRequest, chainNode, chainState, createTools } from "@toolrail/langgraph";
import { openBank } from "./open-bank.ts";
import { print, printTurn } from "./print-turn.ts";

// Every call asks here first, whoever wants it: the model, or the result of another tool.
await using bank = await openBank({
  authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
});

const tools = createTools(bank.host);
const model = bank.model.bindTools(tools);

async function callModel({ messages }: typeof MessagesAnnotation.State) {
  return { messages: await model.invoke([new SystemMessage(INSTRUCTIONS), ...messages]) };
}

// The usual graph, with two additions: chainState gives the state room for hops, and chainNode lets the agent node make them
// instead of asking the model.
const graph = new StateGraph(chainState(MessagesAnnotation))
  .addNode("agent", chainNode(bank.host, { agent: callModel }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition, ["tools", END])
  .addEdge("tools", "agent")
  .compile({ checkpointer: new MemorySaver() });

for (const text of CONVERSATION) {
  const config = { configurable: { thread_id: "customer-1" } };
  let state: { messages: BaseMessage[] } = await graph.invoke(
    { messages: [new HumanMessage(text)] },
    config,
  );
  // The run waits here, for as long as it takes and in whatever process it is taken up again.
  while (isInterrupted<ApprovalRequest>(state)) {
    const [action] = state.__interrupt__[0]?.value?.actionRequests ?? [];
    print(`\napproved  ${action?.name}`);
    const resume = { decisions: [{ type: "approve" }] };
    state = await graph.invoke(new Command({ resume }), config);
  }
  printTurn(state.messages);
}
