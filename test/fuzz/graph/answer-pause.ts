import { Command } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import type { Ledger } from "../world/ledger.ts";
import { askThePerson } from "../world/policy.ts";

/** Whether a person answers all calls that wait at once, or only the first of them. */
export type Answering = "all" | "first";

interface Waiting {
  readonly id: string;
  readonly value: { readonly actionRequests: readonly { name: string; args: JsonObject }[] };
}

/** The command with the person's word on the calls that a graph waits with. */
export function answerPause(
  result: object,
  asking: { readonly ledger: Ledger; readonly host: Host; readonly answering: Answering },
): Command {
  const { __interrupt__: all = [] } = result as { readonly __interrupt__?: readonly Waiting[] };
  // In `createAgent` without `chainMiddleware` each interrupt lists all calls, and one answer without an id is for all.
  const isOne = new Set(all.map(({ value }) => JSON.stringify(value.actionRequests))).size === 1;
  const answered = isOne || asking.answering === "first" ? all.slice(0, 1) : all;
  const words = answered.map(
    ({ id, value }) => [id, { decisions: decide(value, asking) }] as const,
  );
  const [only] = words;
  const resume = isOne && only ? only[1] : Object.fromEntries(words);
  return new Command({ resume });
}

function decide(
  { actionRequests }: Waiting["value"],
  { ledger, host }: { readonly ledger: Ledger; readonly host: Host },
) {
  return actionRequests.map(({ name, args }) => {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    if (!tool) throw new Error(`A person is asked about ${name}, which is no tool.`);
    const call = { server: tool.server, tool: tool.name, arguments: args };
    const word = askThePerson(ledger, { ...call, origin: { by: "application" } });
    return word === "approve" ? { type: word } : { type: "reject", message: word.deny };
  });
}
