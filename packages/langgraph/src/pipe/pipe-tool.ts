import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { canonicalJson } from "@toolrail/json";
import {
  checkPipe,
  definePipeTool,
  type Pipe,
  type PipeResult,
  type PipeToolListeners,
  type PipeToolSettings,
  runPipe,
} from "@toolrail/pipe";
import { answerPipe, PIPE_TOOL_OPTIONS, preparePipe } from "@toolrail/pipe/engine";
import { invokeInCall } from "../langgraph-internals.ts";
import { buildCallKey, type CallConfig, readStated, readToolCallId } from "../tools/call-config.ts";
import { openTool, toReturn } from "../tools/open-tool.ts";
import { compilePipe } from "./pipe-graph.ts";

/** The settings of the tool `mcp_pipe`, and the listeners of its runs. */
export interface PipeToolOptions extends PipeToolSettings, PipeToolListeners {}

const checkOptions = /* @__PURE__ */ createOptionCheck<PipeToolOptions>("createPipeTool", {
  ...PIPE_TOOL_OPTIONS,
  onResult: "function",
});

/**
 * Creates the tool `mcp_pipe`. Pass it to the agent beside the tools of `createTools`. The model reads a small reply,
 * and the artifact of the message is the whole `PipeResult`. In a graph with a checkpointer, a step that needs
 * approval interrupts the graph with the request of LangChain's `humanInTheLoopMiddleware`. An invalid spec becomes
 * an error message that names what to fix.
 */
export function createPipeTool(host: Host, options: PipeToolOptions = {}): DynamicStructuredTool[] {
  checkOptions(options);
  const { onResult, ...settings } = options;
  const definition = definePipeTool(host, settings);
  if (!definition) return [];
  const { name, description, inputSchema: schema } = definition;
  const tool = openTool({
    name,
    description,
    schema,
    async answer(spec, config) {
      const { signal, configurable } = config;
      const who = { ...readStated(config), toolCallId: readToolCallId(config), signal };
      const pipe = await preparePipe(host, { ...settings, ...who, spec });
      const isInGraph = configurable?.checkpoint_ns !== undefined;
      const verdict = isInGraph ? checkPipe(host, pipe) : undefined;
      const whole = verdict?.ok
        ? await runInGraph(host, { ...options, pipe: verdict.pipe, spec, config })
        : await runPipe(host, { ...pipe, ...who });
      const call = { ...who, spec, onResult: verdict?.ok ? undefined : onResult };
      const { reply, result } = await answerPipe(host, whole, call);
      const read = { text: JSON.stringify(reply), isError: !result.ok };
      return toReturn(read, { name, artifact: result, config });
    },
  });
  return [tool];
}

interface Running extends PipeToolOptions {
  readonly pipe: Pipe;
  readonly spec: unknown;
  readonly config: CallConfig;
}

/** Runs the pipe inside the graph around it, so that a step can wait for a person. The graph reports its end only once. */
function runInGraph(host: Host, { pipe, spec, config, limits, onResult }: Running) {
  const toolCallId = readToolCallId(config);
  const report = (result: PipeResult) => onResult?.({ toolCallId, spec, result });
  const running = { limits, toolCallId, key: buildCallKey(host, config), onResult: report };
  const graph = compilePipe(host, { ...running, spec: pipe });
  return invokeInCall(graph, { config, place: canonicalJson([toolCallId ?? "", spec]) });
}
