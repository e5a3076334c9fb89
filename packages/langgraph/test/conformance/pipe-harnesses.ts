import { HumanMessage } from "@langchain/core/messages";
import type { Harness, PipeOutcome } from "@toolrail/conformance";
import { type JsonObject, ToolrailError } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core/adapter";
import type { PipeResult } from "@toolrail/core/pipe";
import { createAgent } from "langchain";
import { compilePipe, createPipeTool } from "../../src/index.ts";
import { toolMessages } from "../graphs.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";

const NO_MODEL = "A graph of a pipe asks no model.";

/** Every way to run a pipe in LangGraph. */
export const pipeHarnesses: readonly Harness[] = [
  {
    name: "langgraph: createPipeTool",
    async pipe({ host, spec, signal, scope }) {
      // A tool call of a model is an object: any other spec goes under `spec`.
      const args = isJsonObject(spec) ? spec : { spec };
      const model = new ScriptedModel([calling("mcp_pipe", { ...args })], "done");
      const agent = createAgent({ model, tools: createPipeTool(host) });
      const question = { messages: [new HumanMessage("go")] };
      const { messages } = await agent.invoke(question, toConfig({ signal, scope }));
      const answers = toolMessages(messages);
      const [result] = answers.map(({ artifact }) => artifact as PipeResult);
      const modelRead = answers.map(({ text }) => ({ type: "text", text }) as const);
      return { result: { ...result } as JsonObject, modelRead };
    },
  },
  {
    name: "langgraph: compilePipe",
    exempt: {
      "pipe/model-hidden": NO_MODEL,
      "pipe/model-shown": NO_MODEL,
      "pipe/small-reply": NO_MODEL,
    },
    async pipe({ host, spec, signal, scope }): Promise<PipeOutcome> {
      try {
        const graph = compilePipe(host, { spec });
        const result: object = await graph.invoke({}, toConfig({ signal, scope }));
        return { result: result as JsonObject };
      } catch (cause) {
        if (!ToolrailError.isInstance(cause) || cause.code !== "invalid-pipe") throw cause;
        // A refused spec has no graph: the error that was thrown is the result.
        return { result: { ok: false, error: cause.message, result: null, steps: {} } };
      }
    },
  },
];

function toConfig({
  signal,
  scope,
}: {
  signal?: AbortSignal | undefined;
  scope?: string | undefined;
}) {
  return {
    ...(signal && { signal }),
    ...(scope !== undefined && { configurable: { thread_id: scope } }),
  };
}
