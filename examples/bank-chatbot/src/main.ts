// The bank chatbot: starts the bank's MCP server and a model, plays the locked-account conversation on
// rails and on plain tools, and on a terminal stays as a chat.
//   npm run demo                    the conversation, then a chat if there is a terminal
//   npm run demo -- --json          one JSON object a turn, for scripts
//   npm run demo -- --framework langgraph     the same on LangGraph (default: ai-sdk)
import { parseArgs } from "node:util";
import { startBank } from "./bank-process.ts";
import { CONVERSATION, createRelayAgent, openRails, type TurnReport } from "./demo/both-ways.ts";
import { chat, print, printComparison, printTurn } from "./demo/terminal.ts";
import { connectModel, toLanguageModel } from "./model.ts";

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
  await run(stop.signal);
} catch (error) {
  if (!stop.signal.aborted) {
    process.exitCode = 1;
    console.error(`The demo ended early: ${error instanceof Error ? error.message : error}`);
  }
}

/** Everything that is started here is ended here, whatever happens in between. */
async function run(signal: AbortSignal): Promise<void> {
  const framework = { type: "string", default: "ai-sdk" } as const;
  const { values } = parseArgs({ options: { json: { type: "boolean" }, framework } });
  const { json, framework: mode } = values;
  if (mode !== "ai-sdk" && mode !== "langgraph") {
    throw new Error(`--framework is ai-sdk or langgraph, and not "${mode}".`);
  }
  await using started = new AsyncDisposableStack();
  const bank = await startBank();
  started.defer(bank.close);
  const endpoint = await connectModel(process.env);
  started.defer(endpoint.close);
  const rails = openRails(bank.url, { endpoint, mode });
  started.defer(rails.close);
  signal.addEventListener("abort", () => void rails.close());
  if (json) {
    await play(rails, ({ modelRead: _, ...turn }) => print(JSON.stringify(turn)));
    return;
  }
  const relay = await createRelayAgent(bank.url, toLanguageModel(endpoint));
  started.defer(relay.close);

  print("Toolrail: a bank chatbot", "bold");
  print(`  bank server  ${bank.url.href}, MCP over Streamable HTTP, a process of its own`);
  print(`  model        ${endpoint.description}`);
  print("\nOn rails: a tool's nextTool is called at once, and no model is asked", "bold", "green");
  const onRails = await play(rails, printTurn);
  print("\nThe same conversation on plain MCP tools: the model has to relay", "bold", "yellow");
  const relayed = await play(relay, printTurn);
  printComparison({ "with Toolrail": onRails, "relayed by the model (plain tools)": relayed });
  if (process.stdin.isTTY && process.stdout.isTTY) await chat(rails, signal);
}

interface Speaker {
  say(text: string, signal: AbortSignal): Promise<TurnReport>;
}

async function play(agent: Speaker, show: (turn: TurnReport) => void): Promise<TurnReport[]> {
  const turns: TurnReport[] = [];
  for (const text of CONVERSATION) {
    const turn = await agent.say(text, stop.signal);
    show(turn);
    turns.push(turn);
    stop.signal.throwIfAborted();
  }
  return turns;
}
