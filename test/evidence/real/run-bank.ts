import { startBank } from "../../../examples/bank-chatbot/src/bank-process.ts";
import {
  CONVERSATION,
  createRelayAgent,
  openRails,
  sumCosts,
  type TurnReport,
} from "../../../examples/bank-chatbot/src/demo/both-ways.ts";
import type { MeteredModel } from "./model.ts";
import type { Finding } from "./stories.ts";

/** The demo's conversation, with chains and on plain MCP tools. The specialist is reached if a ticket is opened. */
export async function runBank({ endpoint, model }: MeteredModel): Promise<readonly Finding[]> {
  await using started = new AsyncDisposableStack();
  const [bank, other] = [await startBank(), await startBank()];
  started.defer(bank.close);
  started.defer(other.close);
  const closing = { ...endpoint, description: "", close: async () => {} };
  const chained = openRails(bank.url, { endpoint: closing, mode: "ai-sdk" });
  started.defer(chained.close);
  const relayed = await createRelayAgent(other.url, model);
  started.defer(relayed.close);
  return [
    await play("with chains", (text) => chained.say(text)),
    await play("relayed", (text) => relayed.say(text)),
  ];
}

async function play(what: string, say: (text: string) => Promise<TurnReport>): Promise<Finding> {
  const turns: TurnReport[] = [];
  for (const text of CONVERSATION) turns.push(await say(text));
  const called = turns.flatMap(({ hops }) => hops.map(({ tool }) => tool));
  const count = (tool: string) => called.filter((one) => one.endsWith(tool)).length;
  const tickets = count("initiate_human_handoff");
  const offers = count("request_agent_handoff");
  return {
    what,
    outcome: `agents offered: ${offers} (1 is right), tickets opened: ${tickets} (1 is right)`,
    ...sumCosts(turns),
  };
}
