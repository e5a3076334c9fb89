// The bank chatbot: starts the bank's MCP server and a model, plays the locked-account conversation on
// rails and on plain tools, and on a terminal stays as a chat.
//   npm run demo                    the conversation, then a chat where there is a terminal
//   npm run demo -- --json          one JSON object a turn, for scripts
import { parseArgs } from "node:util";
import type { BankAgent, TurnReport } from "./agents/bank-agent.ts";
import { createRailAgent } from "./agents/rail-agent.ts";
import { createRelayAgent } from "./agents/relay-agent.ts";
import { chat } from "./demo/chat.ts";
import { connectModel, toLanguageModel } from "./demo/connect-model.ts";
import { CONVERSATION } from "./demo/conversation.ts";
import { print, printComparison, printTurn } from "./demo/print-turn.ts";
import { startBank } from "./demo/start-bank.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });

await using started = new AsyncDisposableStack();
const stop = new AbortController();
const end = async () => {
  stop.abort();
  await started.disposeAsync();
  process.exit(130);
};
process.once("SIGINT", () => void end()).once("SIGTERM", () => void end());

const bank = await startBank();
started.defer(bank.close);
const endpoint = await connectModel(process.env);
started.defer(endpoint.close);
const model = toLanguageModel(endpoint);
const rails = await createRailAgent(bank.url, model);
started.defer(rails.close);

if (values.json) {
  for await (const { widget: _, modelRead: __, ...turn } of play(rails))
    print(JSON.stringify(turn));
} else {
  await show();
}

async function show(): Promise<void> {
  print("Toolrail: a bank chatbot", "bold");
  print(`  bank server  ${bank.url.href}, MCP over Streamable HTTP, a process of its own`);
  print(`  model        ${endpoint.description}`);

  print("\nOn rails: a tool's nextTool is called at once, and no model is asked", [
    "bold",
    "green",
  ]);
  const onRails = await showTurns(rails);

  print("\nThe same conversation on plain MCP tools: the model has to relay", ["bold", "yellow"]);
  const relay = await createRelayAgent(bank.url, model);
  started.defer(relay.close);
  const relayed = await showTurns(relay);

  printComparison(onRails, relayed);
  if (process.stdin.isTTY && process.stdout.isTTY) await chat(rails, stop.signal);
}

async function showTurns(agent: BankAgent): Promise<TurnReport[]> {
  const turns: TurnReport[] = [];
  for await (const turn of play(agent)) {
    printTurn(turn);
    turns.push(turn);
  }
  return turns;
}

async function* play(agent: BankAgent): AsyncGenerator<TurnReport> {
  for (const text of CONVERSATION) yield await agent.say(text);
}
