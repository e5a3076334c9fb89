import { type AgentInputItem, run } from "@openai/agents";
import {
  type ChainInput,
  type ChainOutcome,
  type Harness,
  type ModelPart,
  modelNameOf,
  resumeByHost,
} from "@toolrail/conformance";
import type { ChainResult, Hop } from "@toolrail/core";
import type { CallListeners } from "@toolrail/core/adapter";
import { scriptAgent } from "./runs.ts";

const INSIDE = "A chain runs inside a call: no message holds a hop.";

/** `createTools` under `run`, with a model that decides for one call and then answers. */
export const harness: Harness = {
  name: "openai-agents: createTools",
  chain: runChain,
  exempt: {
    pipe: "This adapter has no pipe.",
    guard: "This adapter has no guard.",
    "chain/abort-kept": "The SDK rejects a run that was aborted, so that it has no outcome.",
    "approval/changes-read": "The application resumes the chain, and no model reads it.",
    "chain/edited": INSIDE,
    "chain/forged": INSIDE,
  },
};

/** A run whose model decides for one call and then answers. */
async function runChain(input: ChainInput): Promise<ChainOutcome> {
  const { host, tool, arguments: args = {}, signal, conversation, unheard } = input;
  const told: Hop[] = [];
  const chains: ChainResult[] = [];
  const listeners: CallListeners = {
    onHop: ({ hop }) => void told.push(hop),
    onResult: ({ chain }) => void chains.push(chain),
  };
  const call = { tool: modelNameOf(host, tool), arguments: args };
  const options = { conversation, ...(!unheard && listeners) };
  const { agent, model } = scriptAgent(host, [[call]], options);
  const toolNotFoundBehavior = "return_error_to_model";
  const result = await run(agent, "go", { toolNotFoundBehavior, ...(signal && { signal }) });
  const [chain] = chains;
  const modelRead = readParts(model.lastCall?.request.input ?? []);
  const [first] = modelRead;
  return {
    hops: chain?.hops ?? [],
    ended: chain?.ended,
    told,
    modelRead,
    isError: !chain || (first?.type === "text" && first.text.startsWith("Error:")),
    modelCalls: model.calls.length,
    stored: JSON.stringify(result.state),
    ...(chain && resumeByHost(host, chain)),
  };
}

function readParts(input: string | readonly AgentInputItem[]): ModelPart[] {
  if (typeof input === "string") return [];
  return input.flatMap((item) => {
    if (item.type !== "function_call_result") return [];
    const { output } = item;
    if (typeof output === "string") return [{ type: "text", text: output }];
    const parts = Array.isArray(output) ? output : [output];
    return parts.map(
      (part): ModelPart =>
        "text" in part
          ? { type: "text", text: part.text }
          : {
              type: "media",
              mediaType: /data:(.*?);/.exec(JSON.stringify(part))?.[1] ?? part.type,
            },
    );
  });
}
