import { deepEqual } from "node:assert/strict";
import { createTools, withChaining } from "@toolrail/ai-sdk";
import type { ChainResult, Host } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { type Major, scriptModel } from "../../../packages/ai-sdk/test/majors.ts";
import { MemoryStore } from "../../../packages/core/src/call/store.ts";
import type { Aborting } from "../abort.ts";
import { createLedger } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import type { ChainCase, ChainsEnd, EndedChain } from "./chain-case.ts";
import { resumeToEnd, toEnded } from "./in-the-core.ts";
import { answerApprovals, readResults } from "./sdk-messages.ts";

const MOST_RUNS = 100;

interface SdkRun extends Omit<Partial<Aborting>, "ledger">, Pick<Aborting, "ledger"> {
  readonly major: Major;
  /** Settings of a run over the tools of a host. */
  settings(host: Host): object;
}

/** Runs a model that makes the calls, and answers each approval in a run of its own, by another host. */
async function converse(
  { world, starts }: ChainCase,
  { major, ledger, signal, onCall, settings }: SdkRun,
): Promise<string[]> {
  const store = new MemoryStore({ maxBytes: 1e7, now: () => 0 });
  const shared = { ledger, store, ...(onCall && { onCall }) };
  let host = await openWorld(world, shared);
  const turn = starts.map(({ id, tool, arguments: input }) => {
    return { tool: host.find(tool).modelName, input, id };
  });
  const script = scriptModel(major, turn, ["done"]);
  let messages: ModelMessage[] = [{ role: "user", content: "please" }];
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const own = { ...settings(host), ...(signal && { abortSignal: signal }) };
    const result = await major.sdk.generateText({ ...own, model: script.model, messages } as never);
    if (result.text === "done") return script.prompts.map((prompt) => JSON.stringify(prompt));
    const added = result.responseMessages ?? result.response.messages;
    messages = [...messages, ...added];
    ledger.resumes++;
    messages = [...messages, answerApprovals(messages, { ledger, host })];
    host = await openWorld(world, shared);
  }
  throw new Error("The conversation does not come to an end.");
}

/** Chains whose hops are steps of the SDK. */
export async function chainInSteps(
  given: ChainCase,
  major: Major,
  { ledger = createLedger(), ...aborting }: Partial<Aborting> = {},
): Promise<ChainsEnd> {
  const chaining = { endWhenShown: false };
  const settings = (host: Host) => withChaining(host, { model: undefined, chaining });
  const prompts = await converse(given, { ...aborting, major, ledger, settings });
  const chains = readResults(given, prompts.at(-1));
  return { ledger, prompts: prompts.join(), chains };
}

/** Chains inside a call. What waits there goes on by the application's hand, when the model has read of it. */
export async function chainInCalls(given: ChainCase, major: Major): Promise<ChainsEnd> {
  const ledger = createLedger();
  const told = new Map<string, ChainResult>();
  const settings = (host: Host) => ({
    tools: createTools(host, {
      onResult: ({ toolCallId = "", chain }) => {
        if (told.has(toolCallId)) ledger.offences.push(`told twice of ${toolCallId}`);
        told.set(toolCallId, chain);
      },
    }),
    stopWhen: major.sdk.stepCountIs(3),
  });
  const prompts = await converse(given, { major, ledger, settings });
  const read = readResults(given, prompts.at(-1));
  const host = await openWorld(given.world, { ledger });
  const ends = given.starts.map(async (start, at): Promise<EndedChain> => {
    const chain = told.get(start.id);
    if (!chain) return read[at] as EndedChain; // A person rejected it, and no chain began.
    deepEqual(read[at], { ...toEnded(chain, host), ended: undefined });
    return toEnded(await resumeToEnd(chain, { world: given.world, ledger }), host);
  });
  return { ledger, prompts: prompts.join(), chains: await Promise.all(ends) };
}
