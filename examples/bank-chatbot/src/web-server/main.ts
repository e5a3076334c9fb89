// The bank chatbot in the browser: starts the bank's MCP server, a model and the page, and prints its address.
//   npm run demo:web                                     the demo's own bank
//   npm run demo:web -- --port 8080
//   npm run demo:web -- --bank URL --meta '{"...": {"thread_id": "$thread"}}'    a bank in the wild
import { parseArgs } from "node:util";
import type { JsonObject } from "@toolrail/core";
import { startOfflineModel } from "@toolrail/example-offline-model";
import { createRelayAgent } from "../agents/relay-agent.ts";
import { connectModel, type ModelEndpoint, toLanguageModel } from "../demo/connect-model.ts";
import { startBank } from "../demo/start-bank.ts";
import { DEMO_PIN } from "../store/sign-ins.ts";
import { WEB_AGENTS } from "./agents/web-agents.ts";
import { measureRelay } from "./measure-relay.ts";
import { buildPage } from "./page-files.ts";
import { askBeforeLargeTransfers, toRequestMeta } from "./policy.ts";
import { startWebServer } from "./start-web-server.ts";
import { superviseBank } from "./supervise-bank.ts";
import { createThreads, type ThreadsOptions } from "./threads.ts";
import { warmUp } from "./warm-up.ts";
import { webRules } from "./web-rules.ts";

/** What the times on the page say depends on it, so the page says it too. */
const THINK_MS = 600;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    bank: { type: "string" },
    meta: { type: "string" },
  },
});

await using started = new AsyncDisposableStack();
const ended = new Promise<void>((resolve) => {
  process.once("SIGINT", resolve).once("SIGTERM", resolve);
});

const own = values.bank ? undefined : await superviseBank();
if (own) started.defer(own.close);
const bank = own?.url ?? new URL(String(values.bank));
const endpoint = await connectWebModel();
started.defer(endpoint.close);
const page = await buildPage();
started.defer(page.remove);

const threadsOptions: ThreadsOptions = {
  bank,
  model: endpoint,
  agents: WEB_AGENTS,
  authorize: askBeforeLargeTransfers,
  toRequestMeta: values.meta ? readMeta(values.meta) : toRequestMeta,
  onProblem: (problem) => console.error(String(problem)),
};
const threads = createThreads(threadsOptions);
started.defer(threads.close);

const web = await startWebServer({
  threads,
  page,
  app: {
    model: endpoint.description,
    ...(own && { hint: `The demo's PIN is ${DEMO_PIN}.` }),
  },
  port: Number(values.port),
  ...(own && { measureRelay: relay }),
});
started.defer(web.close);

console.log(`The bank chatbot is at ${web.url.href}`);
console.log(`  bank server  ${bank.href}`);
console.log(`  model        ${endpoint.description}`);
if (own) console.log(`  sign in with the PIN ${DEMO_PIN}; Ctrl-C ends everything`);
// With a key each of these calls would cost money.
if (own && !process.env.OPENAI_API_KEY) void warmUp(threadsOptions, DEMO_PIN).catch(() => {});
await ended;

/** On books of their own: what is measured must not move the customer's money. */
async function relay(sentences: readonly string[]) {
  const scratch = await startBank();
  try {
    return await measureRelay(sentences, () =>
      createRelayAgent(scratch.url, toLanguageModel(endpoint)),
    );
  } finally {
    await scratch.close();
  }
}

async function connectWebModel(): Promise<ModelEndpoint> {
  if (process.env.OPENAI_API_KEY) return connectModel(process.env);
  const { url, close } = await startOfflineModel({ rules: webRules, thinkMs: THINK_MS });
  const description =
    `an offline, rule-based stand-in that waits ${THINK_MS} ms before each answer, as a quick ` +
    "model would; set OPENAI_API_KEY to use a real one";
  return { url, modelId: "offline-rules", apiKey: "none", description, close };
}

/** The request `_meta` of a bank in the wild; `$thread` stands for the conversation. */
function readMeta(template: string): (threadId: string) => JsonObject {
  JSON.parse(template);
  return (threadId) => JSON.parse(template.replaceAll("$thread", threadId)) as JsonObject;
}
