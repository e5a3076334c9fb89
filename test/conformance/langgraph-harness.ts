import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { ApprovalDecision, Host } from "@toolrail/core";
import type { ApprovalResponse, ToolArtifact } from "@toolrail/langgraph";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";
import type { ChainInput, ChainOutcome, Harness, ModelPart } from "./harness.ts";

interface GraphParts {
  readonly host: Host;
  readonly model: ScriptedModel;
  readonly checkpointer: MemorySaver;
}

interface GraphConfig {
  readonly configurable: { readonly thread_id: string };
  readonly signal?: AbortSignal;
}

type Resume = Command<ApprovalResponse, Record<string, unknown>, never>;

type Invoke = (
  input: { messages: BaseMessage[] } | Resume,
  config: GraphConfig,
) => Promise<{ messages: BaseMessage[] }>;

/** A graph with a model that decides for one call and then answers. */
export function createGraphHarness(
  name: string,
  build: (parts: GraphParts) => Invoke,
  exempt: Harness["exempt"] = {},
): Harness {
  return {
    name,
    exempt,
    async chain({ host, tool, arguments: args = {}, signal }) {
      const model = new ScriptedModel([calling(modelNameOf(host, tool), { ...args })], "done");
      const invoke = build({ host, model, checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "1" }, ...(signal && { signal }) };
      const run = async (input: Parameters<Invoke>[0]): Promise<ChainOutcome> => {
        const output = await invoke(input, config);
        const resume = (decision: ApprovalDecision) => run(toCommand(decision));
        return {
          ...toOutcome(output.messages, model),
          ...("__interrupt__" in output && { resume }),
        };
      };
      return run({ messages: [new HumanMessage("go")] });
    },
  };
}

function toCommand(decision: ApprovalDecision): Resume {
  const answer =
    decision === "approve"
      ? ({ type: "approve" } as const)
      : ({ type: "reject", message: decision.deny } as const);
  return new Command({ resume: { decisions: [answer] } });
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
