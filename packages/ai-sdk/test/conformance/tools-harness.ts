import {
  type ChainInput,
  type ChainOutcome,
  type Harness,
  modelNameOf,
  resumeByHost,
} from "@toolrail/conformance";
import type { Hop } from "@toolrail/core";
import type { CallListeners } from "@toolrail/core/adapter";
import type { ModelMessage } from "ai";
import { createTools, type ToolCallResult } from "../../src/index.ts";
import { type Major, scriptModel } from "../majors.ts";
import { APART, REJECTS } from "./apart.ts";
import { readToolResults } from "./reading.ts";

const BY_HOST = "The application resumes the chain, and no model reads it.";
const INSIDE = "The chain runs inside the call: no message holds a hop.";

/** `createTools` under `generateText`, with a model that decides for one call and then answers. */
export function createToolsHarness(major: Major): Harness {
  return {
    name: `${major.name}: createTools`,
    exempt: {
      pipe: APART,
      guard: APART,
      "chain/abort-kept": REJECTS,
      "approval/changes-read": BY_HOST,
      "chain/edited": INSIDE,
      "chain/forged": INSIDE,
    },
    chain: (input) => runChain(major, input),
  };
}

async function runChain({ sdk, ...major }: Major, input: ChainInput): Promise<ChainOutcome> {
  const { host, tool, arguments: args = {}, signal, conversation, unheard } = input;
  const told: Hop[] = [];
  const results: ToolCallResult[] = [];
  const listeners: CallListeners = {
    onHop: ({ hop }) => void told.push(hop),
    onResult: (result) => void results.push(result),
  };
  const tools = createTools(host, { conversation, ...(!unheard && listeners) });
  const call = { tool: modelNameOf(host, tool), input: args };
  const script = scriptModel({ sdk, ...major }, [call], ["done"]);
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const result = await sdk.generateText({
    model: script.model,
    tools,
    messages,
    stopWhen: sdk.stepCountIs(3),
    ...(signal && { abortSignal: signal }),
  });
  const chain = results[0]?.chain;
  return {
    ...readToolResults(script.prompts.at(-1)),
    hops: chain?.hops ?? [],
    ended: chain?.ended,
    told,
    stored: JSON.stringify(result.responseMessages ?? result.response.messages),
    modelCalls: script.calls,
    ...(chain && resumeByHost(host, chain)),
  };
}
