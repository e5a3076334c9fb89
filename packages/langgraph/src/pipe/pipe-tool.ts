import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host } from "@toolrail/core";
import { createOptionCheck, notify } from "@toolrail/core/adapter";
import { canonicalJson } from "@toolrail/json";
import {
  checkPipe,
  definePipeTool,
  type PipeResult,
  type PipeToolListeners,
  type PipeToolSettings,
  runPipe,
} from "@toolrail/pipe";
import { findKept, keepReply, PIPE_TOOL_OPTIONS, withoutLongSteps } from "@toolrail/pipe/engine";
import { invokeInCall } from "../langgraph-internals.ts";
import {
  buildCallKey,
  type CallConfig,
  readConversation,
  readStated,
  readToolCallId,
} from "../tools/call-config.ts";
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
  const { onResult: _, ...settings } = options;
  const definition = definePipeTool(host, settings);
  if (!definition) return [];
  const { name, description, inputSchema: schema } = definition;
  const tool = openTool({
    name,
    description,
    schema,
    async answer(spec, config) {
      const result = await run(host, { ...options, spec, config });
      config.signal?.throwIfAborted();
      const toolCallId = readToolCallId(config);
      const keeping = { conversation: readConversation(config), toolCallId };
      const reply = await keepReply(host, result, keeping);
      const artifact = withoutLongSteps(host, result, { ...keeping, reply });
      const read = { text: JSON.stringify(reply), isError: !result.ok };
      return toReturn(read, { name, artifact, config });
    },
  });
  return [tool];
}

/** Runs the pipe inside the graph around it, so that a step can wait for a person. Without a graph the core runs it. */
async function run(
  host: Host,
  { spec, config, ...settings }: PipeToolOptions & { spec: unknown; config: CallConfig },
): Promise<PipeResult> {
  const { tools, limits, flow, follow, onResult } = settings;
  const { signal, configurable } = config;
  const toolCallId = readToolCallId(config);
  const stated = readStated(config);
  const kept = await findKept(host, { spec, conversation: stated.conversation });
  const parsing = { author: "model", spec, tools, limits, flow, follow, kept } as const;
  const report = (result: PipeResult) => notify(onResult, { toolCallId, spec, result });
  const isInGraph = configurable?.checkpoint_ns !== undefined;
  const verdict = isInGraph ? checkPipe(host, parsing) : undefined;
  if (!verdict?.ok) {
    const result = await runPipe(host, { ...parsing, toolCallId, ...stated, signal });
    await report(result);
    return result;
  }
  const running = { limits, toolCallId, key: buildCallKey(config), onResult: report };
  const graph = compilePipe(host, { ...running, spec: verdict.pipe });
  return invokeInCall(graph, { config, place: canonicalJson([toolCallId ?? "", spec]) });
}
