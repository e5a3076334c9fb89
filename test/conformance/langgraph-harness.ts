import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import type { ToolArtifact } from "@toolrail/langgraph";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";
import type { ChainInput, ChainOutcome, Harness, ModelPart } from "./harness.ts";

type Invoke = (
  input: { messages: BaseMessage[] },
  config: { signal?: AbortSignal },
) => Promise<{ messages: BaseMessage[] }>;

/** A graph with a model that decides for one call and then answers. */
export function createAgentHarness(
  name: string,
  build: (parts: { host: Host; model: ScriptedModel }) => Invoke,
): Harness {
  return {
    name,
    exempt: {
      "approval/resume": "a hop inside a call cannot wait for a person yet",
      "approval/deny": "a hop inside a call cannot wait for a person yet",
    },
    async chain({ host, tool, arguments: args = {}, signal }) {
      const model = new ScriptedModel([calling(modelNameOf(host, tool), { ...args })], "done");
      const invoke = build({ host, model });
      const question = { messages: [new HumanMessage("go")] };
      const { messages } = await invoke(question, signal ? { signal } : {});
      return toOutcome(messages, model);
    },
  };
}

function toOutcome(messages: readonly BaseMessage[], model: ScriptedModel): ChainOutcome {
  const answers = messages.filter((message) => ToolMessage.isInstance(message));
  const artifacts = answers.flatMap(({ artifact }) => (artifact as ToolArtifact | undefined) ?? []);
  const ended = artifacts.at(-1)?.ended;
  const read = (model.read.at(-1) ?? []).filter((message) => ToolMessage.isInstance(message));
  return {
    hops: artifacts.flatMap(({ hops }) => hops),
    ...(ended && { ended }),
    modelRead: read.flatMap((message) => message.contentBlocks.map(toPart)),
    isError: read.at(-1)?.status === "error",
    modelCalls: model.read.length,
  };
}

function toPart(block: ToolMessage["contentBlocks"][number]): ModelPart {
  return block.type === "text"
    ? { type: "text", text: String(block.text) }
    : { type: "media", mediaType: String(block.mimeType) };
}

/** A tool that is not there is called by the name that a model would give it. */
function modelNameOf(host: Host, tool: ChainInput["tool"]): string {
  try {
    return host.find(tool).modelName;
  } catch {
    return tool.slice(tool.indexOf(".") + 1);
  }
}
