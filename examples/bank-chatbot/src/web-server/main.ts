// The bank chatbot in the browser: starts the bank's MCP server, a model and the page, and prints its address.
//   npm run demo:web -- [--port 8080]
import { parseArgs } from "node:util";
import { connectBank, startBank } from "../bank-process.ts";
import { createRelayAgent, sumCosts, type TurnReport } from "../demo/both-ways.ts";
import { connectModel, toLanguageModel } from "../model.ts";
import { buildPage } from "./build-page.ts";
import { type RelayMeasure, startWebServer } from "./web-server.ts";

/** The time that a quick model takes, so that the times on the page mean something. */
const THINK_MS = 600;

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });

await using started = new AsyncDisposableStack();
const ended = new Promise<void>((resolve) => {
  process.once("SIGINT", resolve).once("SIGTERM", resolve);
});

const bank = await startBank("--buttons");
started.defer(bank.close);
const endpoint = await connectModel(process.env, THINK_MS);
started.defer(endpoint.close);
const web = await startWebServer({
  page: await buildPage(),
  conversation: {
    ...{ endpoint, connect: () => connectBank(bank.url) },
    onProblem: (problem) => console.error(String(problem)),
  },
  ...{ measureRelay, port: Number(values.port) },
});
started.defer(web.close);

console.log(`The bank chatbot is at ${web.url}`);
console.log(`  bank server  ${bank.url.href}`);
console.log(`  model        ${endpoint.description}`);
console.log("  Ctrl-C ends everything");
await ended;

/**
 * Says the same sentences to a chatbot on plain MCP tools, on separate accounts: what is measured must not
 * move the customer's money.
 */
async function measureRelay(sentences: readonly string[]): Promise<RelayMeasure> {
  await using scratch = new AsyncDisposableStack();
  const other = await startBank();
  scratch.defer(other.close);
  const agent = await createRelayAgent(other.url, toLanguageModel(endpoint));
  scratch.defer(agent.close);
  const startMs = performance.now();
  const turns: TurnReport[] = [];
  for (const sentence of sentences) turns.push(await agent.say(sentence));
  return { ...sumCosts(turns), ms: performance.now() - startMs };
}
