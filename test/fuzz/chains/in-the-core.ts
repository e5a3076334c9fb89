import { type ChainResult, type Host, modelView } from "@toolrail/core";
import { partText, toModelParts } from "@toolrail/core/adapter";
import type { Aborting } from "../abort.ts";
import { createLedger, type MadeCall } from "../world/ledger.ts";
import { openWorld, type WorldOptions } from "../world/open-world.ts";
import { askThePerson } from "../world/policy.ts";
import type { World } from "../world/tool-plan.ts";
import type { ChainCase, ChainsEnd, EndedChain } from "./chain-case.ts";

const MOST_PAUSES = 20;

/** Chains of the core, each resumed by another host from its JSON text wherever it waits. */
export async function chainInTheCore(
  { world, starts }: ChainCase,
  { ledger = createLedger(), onCall, signal }: Partial<Aborting> = {},
): Promise<ChainsEnd> {
  const more = onCall && { onCall };
  const host = await openWorld(world, { ledger, ...more });
  const run = async ({ tool, arguments: args }: MadeCall) => {
    const chain = await host.run({ tool, arguments: args }, { signal });
    return resumeToEnd(chain, { world, ledger, signal, ...more });
  };
  const chains = await Promise.all(starts.map(run));
  const prompts = JSON.stringify(chains.map((chain) => modelView(chain, { tools: host.tools })));
  return { ledger, prompts, chains: chains.map((chain) => toEnded(chain, host)) };
}

/** Goes on with a chain as the person says, until nothing of it waits. */
export async function resumeToEnd(
  chain: ChainResult,
  {
    world,
    signal,
    ...options
  }: WorldOptions & { readonly world: World; signal?: AbortSignal | undefined },
): Promise<ChainResult> {
  let current = chain;
  for (let pauses = 0; current.ended === "needs-approval" && current.pending; pauses++) {
    if (pauses > MOST_PAUSES) throw new Error("The chain waits again and again.");
    options.ledger.resumes++;
    const elsewhere = await openWorld(world, options);
    const word = askThePerson(options.ledger, current.pending);
    current = await elsewhere.resume(JSON.parse(JSON.stringify(current)), word, { signal });
  }
  return current;
}

/** What a model reads of a chain, media as their names, and tools by the names that it knows. */
export function toEnded(chain: ChainResult, { tools }: Host): EndedChain {
  const { content, isError } = modelView(chain, { tools });
  const read = toModelParts(content).map(partText).join("\n");
  return { ended: chain.ended, isError, read: inOwnWords(read) };
}

/** Without what frameworks say in words of their own: that a person rejected a call. */
export function inOwnWords(read: string): string {
  return read.replaceAll(
    /^(The chain of tool calls ended early \(denied\)\. |The call of )?.* was not approved: no, thank you$/gm,
    "(rejected)",
  );
}
