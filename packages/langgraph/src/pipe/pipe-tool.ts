import { ToolMessage } from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import {
  answerPipe,
  checkPipe,
  definePipeTool,
  PIPE_TOOL_OPTIONS,
  type PipeToolListeners,
  type PipeToolSettings,
  runPipe,
} from "@toolrail/core/pipe";
import {
  buildCallKey,
  type CallConfig,
  findTurn,
  innerConfig,
  readStated,
  readToolCallId,
} from "../tools/call-config.ts";
import { openTool } from "../tools/create-tools.ts";
import { compilePipe } from "./compile-pipe.ts";

/** The settings of the tool `mcp_pipe`, and the listeners of its runs. */
export interface PipeToolOptions extends PipeToolSettings, PipeToolListeners {}

const checkOptions = /* @__PURE__ */ createOptionCheck<PipeToolOptions>("createPipeTool", {
  ...PIPE_TOOL_OPTIONS,
  onResult: "function",
});

/**
 * Creates the tool `mcp_pipe`. Pass it to the agent beside the tools of `createTools`. The model reads a small reply,
 * and the artifact of the message is the whole `PipeResult`. In `createAgent` with a checkpointer, and in a
 * `ToolNode` that makes no other call, a step that needs approval interrupts the graph with the request of LangChain's
 * `humanInTheLoopMiddleware`. Elsewhere the step fails. An invalid spec becomes
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
      const { signal } = config;
      const toolCallId = readToolCallId(config);
      const who = { ...readStated(config), toolCallId, signal };
      const { tools, limits } = settings;
      const pipe = { author: "model", spec, tools, limits } as const;
      const verdict = isAlone(config) ? checkPipe(host, pipe) : undefined;
      // In the graph around it, a step can wait for a person, and the end is reported once, however often this runs.
      const artifact = verdict?.ok
        ? await compilePipe(host, {
            ...{ spec: verdict.pipe, limits, toolCallId },
            key: buildCallKey(host, config, toolCallId),
            onResult: (result) => onResult?.({ toolCallId, spec, result }),
          }).invoke({ vars: {} }, innerConfig(config))
        : await runPipe(host, { ...pipe, ...who });
      const call = { ...who, spec, onResult: verdict?.ok ? undefined : onResult };
      const content = JSON.stringify(await answerPipe(host, artifact, call));
      if (artifact.ok) return [content, artifact];
      // LangChain has no other form for a failed result.
      const answered = { name, tool_call_id: toolCallId ?? "", status: "error" } as const;
      return [new ToolMessage({ ...answered, content, artifact }), artifact];
    },
  });
  return [tool];
}

/**
 * Returns true if no other call shares the task of this one, as in `createAgent`: LangGraph runs a whole task again when a
 * step has waited.
 */
function isAlone({ state, configurable }: CallConfig): boolean {
  if (configurable?.checkpoint_ns === undefined || !isJsonObject(state)) return false;
  return "lg_tool_call" in state || findTurn(state)?.tool_calls?.length === 1;
}
