// The examples of README.md as they are compiled and run; test/readme holds the two together.
import * as api from "@opentelemetry/api";
import {
  createHost,
  type Host,
  type HostEvent,
  type McpPort,
  modelView,
  type Server,
  userView,
} from "@toolrail/core";
import { answerQuery, createSingleStep, plannerPrompt, summaryPrompt } from "@toolrail/core/guard";
import { otel } from "@toolrail/core/otel";
import { resumePipe, runPipe } from "@toolrail/core/pipe";
import { references } from "@toolrail/core/references";
import { z } from "zod";
import type { McpClientLike } from "../src/servers/to-port.ts";

type Ask = (prompt: string, text: string) => Promise<string>;

interface Given {
  readonly connectBank: () => Promise<McpClientLike>;
  readonly docs: Server;
  readonly customerId: string;
  readonly audit: HostEvent[];
}

export async function aHost({ connectBank, docs, customerId, audit }: Given) {
  const host = await createHost({
    servers: { bank: () => connectBank(), docs }, // MCP clients, or functions that connect them
    allow: ["bank.*", "docs.search"],
    authorize: ({ tool, origin }) =>
      tool.name === "transfer" && origin.by !== "application" ? "ask" : "allow",
    use: [{ name: "customer", requestMeta: () => ({ "example.org/customer": customerId }) }],
    schemas: { "bank.get_balance": z.object({ balance: z.number() }) },
    onEvent: (event) => audit.push(event),
  });
  const { output } = await host.call({ tool: "bank.get_balance", arguments: {} });
  if (output.status === "valid") output.value.balance.toFixed(2); // typed by the parser
  return { host, output };
}

export async function anInputRequest(
  bank: McpPort,
  askForPin: (message: string, problem?: string) => Promise<string>,
) {
  const host = await createHost({
    servers: { bank },
    async onInputRequest({ server, message, problem }) {
      const pin = await askForPin(`${server} asks: ${message}`, problem);
      return { action: "accept", content: { pin } }; // or { action: "decline" }
    },
  });
  return host.run({ tool: "bank.transfer", arguments: { amount: 5 } });
}

export async function aPipeThatWaits(
  host: Host,
  { spec, conversation }: { spec: unknown; conversation: string },
) {
  const waiting = await runPipe(host, { spec, pauses: true, conversation });
  const { paused } = waiting; // ok is false, and error names the steps
  if (!paused) return { waiting, result: waiting };
  for (const { path, pending } of paused.asks) console.log(path, pending.tool, pending.arguments);
  const answers = Object.fromEntries(paused.asks.map(({ path }) => [path, "approve" as const]));
  const result = await resumePipe(host, { paused, answers });
  return { waiting, result };
}

export async function aChain(host: Host, accountId: string) {
  const chain = await host.run({ tool: "bank.check_account_issue", arguments: { accountId } });
  for (const hop of chain.hops) console.log(hop.tool, hop.origin.by, hop.durationMs);

  const { content, isError, userOnly } = modelView(chain, { tools: host.tools }); // what a model may read
  const { verbatim } = userView(chain); // what only the user may, word for word

  if (chain.ended === "needs-approval") await host.resume(chain, "approve");
  return { chain, content, isError, userOnly, verbatim };
}

export async function aLongResult({
  docs,
  mail,
  url,
}: Record<"docs" | "mail", Server> & { url: string }) {
  const host = await createHost({ servers: { docs, mail }, use: [references()] });
  const conversation = "chat-1"; // the conversation: an id that no other has
  const chain = await host.run({ tool: "docs.fetch", arguments: { url } }, { conversation });
  const { content } = modelView(await host.keep(chain, { conversation })); // what its model reads
  return content;
}

export async function aTracedHost(bank: Server) {
  const host = await createHost({ servers: { bank }, use: [otel(api)] });
  return host;
}

export async function aGuard(host: Host, question: string, ask: Ask) {
  const guard = createSingleStep(host, {
    allow: { "docs.search": "allow", "bank.transfer": "ask" }, // nothing else is ever called
  });
  const { query, outcome, summary } = await answerQuery(guard, {
    query: question,
    policy: (text) => (/password/i.test(text) ? { deny: "no secrets here" } : "allow"),
    plan: (text, tools) => ask(plannerPrompt(tools), text), // answers with one JSON object
    summarize: (value) => ask(summaryPrompt(), JSON.stringify(value)),
  });
  if (outcome.verdict === "ask") await query.resume("approve"); // once a person has said so
  return { query, outcome, summary };
}
