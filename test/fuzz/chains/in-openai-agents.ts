import type { ChainResult } from "@toolrail/core";
import { runWithPerson, scriptAgent } from "../../../examples/openai-agents-adapter/test/runs.ts";
import { createLedger } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import { askThePerson } from "../world/policy.ts";
import type { ChainCase, ChainsEnd, EndedChain } from "./chain-case.ts";
import { resumeToEnd, toEnded } from "./in-the-core.ts";

/** Chains inside calls of the OpenAI Agents SDK. What waits there goes on by the application's hand. */
export async function chainInOpenAiAgents({ world, starts }: ChainCase): Promise<ChainsEnd> {
  const ledger = createLedger();
  const host = await openWorld(world, { ledger });
  const told = new Map<string, ChainResult>();
  const turn = starts.map(({ tool, arguments: args }) => {
    return { tool: host.find(tool).modelName, arguments: args };
  });
  const { agent, model } = scriptAgent(host, [turn], {
    onResult: ({ toolCallId = "", chain }) => {
      if (told.has(toolCallId)) ledger.offences.push(`told twice of ${toolCallId}`);
      told.set(toolCallId, chain);
    },
  });
  await runWithPerson(agent, ({ tool: name, arguments: args }) => {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    if (!tool) throw new Error(`A person is asked about ${name}, which is no tool.`);
    const call = { server: tool.server, tool: tool.name, arguments: args };
    return askThePerson(ledger, { ...call, origin: { by: "application" } }) === "approve";
  });
  const ends = starts.map(async ({ id }): Promise<EndedChain> => {
    const chain = told.get(id);
    if (!chain) return { ended: "denied", isError: true, read: "(rejected)" };
    return toEnded(await resumeToEnd(chain, { world, ledger }), host);
  });
  const prompts = JSON.stringify(model.calls.map(({ request }) => request.input));
  return { ledger, prompts, chains: await Promise.all(ends) };
}
