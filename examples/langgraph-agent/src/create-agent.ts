// A bank assistant on LangChain's createAgent. Run it from this folder:
//   node --conditions=@toolrail/source src/create-agent.ts
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { INSTRUCTIONS } from "@toolrail/example-bank-chatbot/src/agents/agent.ts";
import { CONVERSATION } from "@toolrail/example-bank-chatbot/src/demo/both-ways.ts";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { openBank } from "./open-bank.ts";
import { printTurn } from "./print-turn.ts";

await using bank = await openBank();

const agent = createAgent({
  model: bank.model,
  systemPrompt: INSTRUCTIONS,
  // The server's tools, as the server describes them.
  tools: createTools(bank.host),
  // This line puts the tools on rails: if a result names its next tool, that call is the agent's next turn, and no model is
  // asked. Without this line, a chain runs inside its first call.
  middleware: [chainMiddleware(bank.host)],
  checkpointer: new MemorySaver(),
});

// "My account seems to be blocked": check_account_issue finds that a person is needed, and its result asks for
// initiate_human_handoff. The model is asked twice: for the first tool, and for the closing words.
for (const text of CONVERSATION) {
  const config = { configurable: { thread_id: "customer-1" } };
  const { messages } = await agent.invoke({ messages: [new HumanMessage(text)] }, config);
  printTurn(messages);
}
