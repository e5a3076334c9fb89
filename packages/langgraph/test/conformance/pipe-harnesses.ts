import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { Harness, PipeOutcome } from "@toolrail/conformance";
import { ToolrailError } from "@toolrail/core";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { PipeResult } from "@toolrail/core/pipe";
import { createAgent } from "langchain";
import { compilePipe, createPipeTool } from "../../src/pipe/index.ts";
import { toolMessages } from "../graphs.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";
import { APART, REJECTS, toAnswer } from "./chain-harnesses.ts";

const NO_MODEL = "A graph of a pipe asks no model.";

/** Every way to run a pipe in LangGraph. */
export const pipeHarnesses: readonly Harness[] = [
  {
    name: "langgraph: createPipeTool",
    exempt: { chain: APART, guard: APART, "pipe/abort-kept": REJECTS },
    async pipe({ host, spec, signal, conversation, pauses }) {
      // A tool call of a model is an object: any other spec goes under `spec`.
      const args = isJsonObject(spec) ? spec : { spec };
      const model = new ScriptedModel([calling("mcp_pipe", { ...args })], "done");
      const tools = createPipeTool(host);
      const agent = createAgent({
        model,
        tools,
        ...(pauses && { checkpointer: new MemorySaver() }),
      });
      const question = { messages: [new HumanMessage("go")] };
      const config = toConfig({
        signal,
        conversation: pauses ? (conversation ?? "1") : conversation,
      });
      const invoke = async (input: typeof question | Command): Promise<PipeOutcome> => {
        const state = await agent.invoke(input, config);
        const answers = toolMessages(state.messages);
        const [result] = answers.map(({ artifact }) => artifact as PipeResult);
        const modelRead = answers.map(({ text }) => ({ type: "text", text }) as const);
        return { result: { ...result } as JsonObject, modelRead, ...waitingIn(state, invoke) };
      };
      return invoke(question);
    },
  },
  {
    name: "langgraph: compilePipe",
    exempt: {
      chain: APART,
      guard: APART,
      "pipe/abort-kept": REJECTS,
      "pipe/model-hidden": NO_MODEL,
      "pipe/model-shown": NO_MODEL,
      "pipe/small-reply": NO_MODEL,
      "pipe/changes-read": NO_MODEL,
    },
    async pipe({ host, spec, signal, conversation, pauses }): Promise<PipeOutcome> {
      try {
        const graph = compilePipe(host, {
          spec,
          ...(pauses && { checkpointer: new MemorySaver() }),
        });
        const config = toConfig({
          signal,
          conversation: pauses ? (conversation ?? "1") : conversation,
        });
        const invoke = async (input: object): Promise<PipeOutcome> => {
          const result: object = await graph.invoke(input, config);
          return { result: result as JsonObject, ...waitingIn(result, invoke) };
        };
        return await invoke({});
      } catch (cause) {
        if (!ToolrailError.isInstance(cause) || cause.code !== "invalid-pipe") throw cause;
        // A refused spec has no graph: the error that was thrown is the result.
        return { result: { ok: false, error: cause.message, result: null, steps: {} } };
      }
    },
  },
];

/** What goes on with a state that waits for a person. */
function waitingIn(
  state: object,
  invoke: (input: Command) => Promise<PipeOutcome>,
): Pick<PipeOutcome, "resume"> {
  const { __interrupt__: asked = [] } = state as { __interrupt__?: { id: string }[] };
  if (asked.length === 0) return {};
  return {
    resume(decision) {
      const answers = asked.map(({ id }) => [id, { decisions: [toAnswer(decision)] }]);
      return invoke(new Command({ resume: Object.fromEntries(answers) }));
    },
  };
}

function toConfig({
  signal,
  conversation,
}: {
  signal?: AbortSignal | undefined;
  conversation?: string | undefined;
}) {
  return {
    ...(signal && { signal }),
    ...(conversation !== undefined && { configurable: { thread_id: conversation } }),
  };
}
