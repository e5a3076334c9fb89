import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createPipeTool as createSdkTool } from "@toolrail/ai-sdk";
import { isJsonObject, type JsonObject, type PipeResult } from "@toolrail/core";
import { createPipeTool } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { type Major, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";
import { readToolResults } from "./ai-sdk-reading.ts";
import type { Harness, PipeInput, PipeOutcome } from "./harness.ts";

/** `mcp_pipe` under `generateText`, called by a model. */
export function createSdkPipeHarness(major: Major): Harness {
  return {
    name: `${major.name}: createPipeTool`,
    async pipe({ host, spec, signal }) {
      const results: PipeResult[] = [];
      const tools = createSdkTool(host, { onResult: ({ result }) => void results.push(result) });
      const script = scriptModel(major, [{ tool: "mcp_pipe", input: toInput(spec) }], ["done"]);
      const { sdk } = major;
      await sdk.generateText({
        model: script.model,
        tools,
        prompt: "go",
        stopWhen: sdk.stepCountIs(3),
        ...(signal && { abortSignal: signal }),
      });
      return toOutcome(results, readToolResults(script.prompts.at(-1)).modelRead);
    },
  };
}

/** `mcp_pipe` in an agent of LangChain, called by a model. */
export function createAgentPipeHarness(
  name: string,
  options: Parameters<typeof createPipeTool>[1] = {},
): Harness {
  return {
    name,
    async pipe({ host, spec, signal }) {
      const model = new ScriptedModel([calling("mcp_pipe", { ...toInput(spec) })], "done");
      const agent = createAgent({ model, tools: createPipeTool(host, options) });
      const question = { messages: [new HumanMessage("go")] };
      const { messages } = await agent.invoke(question, signal ? { signal } : {});
      const answers = messages.filter((message) => ToolMessage.isInstance(message));
      const results = answers.map(({ artifact }) => artifact as PipeResult);
      const read = answers.map(({ text }) => ({ type: "text", text }) as const);
      return toOutcome(results, read);
    },
  };
}

function toOutcome(
  [result]: readonly PipeResult[],
  modelRead: PipeOutcome["modelRead"] = [],
): PipeOutcome {
  if (!result) throw new Error("The pipe came to no result.");
  return { result: { ...result } as JsonObject, modelRead };
}

/** A tool call of a model is an object: what is none goes under `spec`. */
function toInput(spec: PipeInput["spec"]): JsonObject {
  return isJsonObject(spec) ? spec : { spec };
}
