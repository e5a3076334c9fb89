// The bank chatbot: starts the bank's MCP server and a model, plays the locked-account conversation on
// rails and on plain tools, and on a terminal stays as a chat.
//   npm run demo                    the conversation, then a chat if there is a terminal
//   npm run demo -- --json          one JSON object a turn, for scripts
//   npm run demo -- --framework langgraph     the same on LangGraph (default: ai-sdk)
import { parseArgs } from "node:util";
import { createRelayAgent, type RelayAgent } from "./agents/relay-agent.ts";
import { chat } from "./demo/chat.ts";
import { connectModel, toLanguageModel } from "./demo/connect-model.ts";
import { CONVERSATION } from "./demo/conversation.ts";
import { print, printComparison, printTurn } from "./demo/print-turn.ts";
import { openRails, type Rails } from "./demo/rails.ts";
import { startBank } from "./demo/start-bank.ts";
import type { TurnReport } from "./demo/turn-report.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    process.exitCode = 130;
    stop.abort();
  });
}

// Whoever reads has read enough, as `head` does.
process.stdout.on("error", () => stop.abort());

try {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      framework: { type: "string", default: "ai-sdk" },
    },
  });
  await run(values, stop.signal);
} catch (error) {
  if (!stop.signal.aborted) {
    process.exitCode = 1;
    console.error(`The demo ended early: ${error instanceof Error ? error.message : error}`);
  }
}

interface Options {
  readonly json: boolean;
  readonly framework: string;
}

/** Everything that is started here is ended here, whatever happens in between. */
async function run({ json, framework }: Options, signal: AbortSignal): Promise<void> {
  await using started = new AsyncDisposableStack();
  if (framework !== "ai-sdk" && framework !== "langgraph") {
    throw new Error(`--framework is ai-sdk or langgraph, and not "${framework}".`);
  }
  const bank = await startBank();
  started.defer(bank.close);
  const endpoint = await connectModel(process.env);
  started.defer(endpoint.close);
  const rails = openRails({ bank: bank.url, endpoint, mode: framework });
  started.defer(rails.close);
  signal.addEventListener("abort", () => void rails.close());
  if (json) {
    for await (const { modelRead: _, ...turn } of play(rails, signal)) {
      print(JSON.stringify(turn));
    }
    return;
  }
  const relay = await createRelayAgent(bank.url, toLanguageModel(endpoint));
  started.defer(relay.close);

  print("Toolrail: a bank chatbot", "bold");
  print(`  bank server  ${bank.url.href}, MCP over Streamable HTTP, a process of its own`);
  print(`  model        ${endpoint.description}`);
  print("\nOn rails: a tool's nextTool is called at once, and no model is asked", [
    "bold",
    "green",
  ]);
  const onRails = await showTurns(rails, signal);
  print("\nThe same conversation on plain MCP tools: the model has to relay", ["bold", "yellow"]);
  const relayed = await showTurns(relay, signal);
  printComparison(onRails, relayed);
  if (process.stdin.isTTY && process.stdout.isTTY) await chat(rails, signal);
}

async function showTurns(agent: Rails | RelayAgent, signal: AbortSignal): Promise<TurnReport[]> {
  const turns: TurnReport[] = [];
  for await (const turn of play(agent, signal)) {
    printTurn(turn);
    turns.push(turn);
  }
  return turns;
}

async function* play(agent: Rails | RelayAgent, signal: AbortSignal): AsyncGenerator<TurnReport> {
  for (const text of CONVERSATION) {
    yield await agent.say(text, signal);
    signal.throwIfAborted();
  }
}
