import { createTools, type ToolCallResult } from "@toolrail/ai-sdk";
import type { Host } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { type Major, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { modelNameOf, readToolResults } from "./ai-sdk-reading.ts";
import type { ChainInput, ChainOutcome, Harness } from "./harness.ts";

/** `createTools` under `generateText`, with a model that decides for one call and then answers. */
export function createToolsHarness(major: Major): Harness {
  return {
    name: `${major.name}: createTools`,
    chain: (input) => runChain(major, input),
  };
}

async function runChain(major: Major, input: ChainInput): Promise<ChainOutcome> {
  const { host, tool, arguments: args = {}, signal } = input;
  const results: ToolCallResult[] = [];
  const tools = createTools(host, { onResult: (result) => void results.push(result) });
  const script = scriptModel(major, [{ tool: modelNameOf(host, tool), input: args }], ["done"]);
  const { sdk } = major;
  const settings = { model: script.model, tools, stopWhen: sdk.stepCountIs(3) };
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  await sdk.generateText({ ...settings, messages, ...(signal && { abortSignal: signal }) });
  const chain = results[0]?.chain;
  return {
    ...readToolResults(script.prompts.at(-1)),
    hops: chain?.hops ?? [],
    ...(chain && { ended: chain.ended }),
    modelCalls: script.calls,
    ...(chain?.ended === "needs-approval" && {
      resume: (decision) => resume(host, chain, decision),
    }),
  };
}

/** A hop inside a call cannot pause the SDK: the application resumes the chain. */
async function resume(
  host: Host,
  chain: ToolCallResult["chain"],
  decision: Parameters<Host["resume"]>[1],
): Promise<ChainOutcome> {
  const { hops, ended } = await host.resume(chain, decision);
  return { hops, ended, modelRead: [], isError: ended !== "complete", modelCalls: 0 };
}
