import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import {
  canonicalJson,
  checkPipe,
  definePipeTool,
  type Host,
  type PipeLimits,
  type PipeResult,
  type PipeToolSettings,
  runPipe,
  toPipeReply,
} from "@toolrail/core";
import { type CallConfig, toolCallIdOf } from "./call-config.ts";
import { toOwnNamespace } from "./own-namespace.ts";
import { compilePipe } from "./pipe-graph.ts";
import { placeSteps } from "./pipe-names.ts";
import { stepsOf } from "./pipe-state.ts";

export type PipeToolOptions = PipeToolSettings;

/**
 * The tool `mcp_pipe`, to be put beside `createTools`. The model reads a small reply; the artifact of
 * the message is the whole `PipeResult`. In a graph with a checkpointer a step that needs approval
 * interrupts it, in the form of LangChain's `humanInTheLoopMiddleware`. A wrong spec is an error message
 * that says what to mend.
 */
export function createPipeTool(host: Host, options: PipeToolOptions = {}): DynamicStructuredTool[] {
  const definition = definePipeTool(host, options);
  if (!definition) return [];
  const { name, description, inputSchema } = definition;
  const { limits = {} } = options;
  const fields = {
    name,
    description,
    responseFormat: "content_and_artifact" as const,
    async func(spec: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) {
      const result = await run(host, spec, limits, config);
      config.signal?.throwIfAborted();
      return toReturn(result, name, toolCallIdOf(config));
    },
  };
  const shown = new DynamicStructuredTool({ ...fields, schema: inputSchema });
  // The spec is checked by the parser of pipes, which finds all problems at once: LangChain would
  // refuse it first, with less to say.
  const open = new DynamicStructuredTool({ ...fields, schema: { type: "object" } });
  return [Object.defineProperty(shown, "invoke", { value: open.invoke.bind(open) })];
}

/** As a graph inside the graph around it, so that a step can wait for a person; else by the core. */
async function run(
  host: Host,
  spec: unknown,
  limits: Partial<PipeLimits>,
  config: CallConfig,
): Promise<PipeResult> {
  const { signal, configurable } = config;
  const toolCallId = toolCallIdOf(config);
  const id = toolCallId === undefined ? {} : { toolCallId };
  const verdict = checkPipe(spec, host, { author: "model", limits });
  if (!verdict.ok || configurable?.checkpoint_ns === undefined) {
    return runPipe(verdict.ok ? verdict.pipe : spec, host, {
      author: "model",
      signal,
      limits,
      ...id,
    });
  }
  const { plan } = verdict.pipe;
  const graph = compilePipe(verdict.pipe, host, { limits, ...id });
  const own = await toOwnNamespace(config, canonicalJson([toolCallId ?? "", spec]));
  const inOwn = { configurable: own, ...(signal && { signal }) };
  const { steps, ...end } = await graph.invoke({}, inOwn);
  // A pipe that had ended before a pause of its turn comes back from its checkpoint, which keeps its
  // steps in channels of their own.
  if (steps) return { ...end, steps };
  const { values } = await graph.getState({ configurable: own });
  return { ...end, steps: stepsOf({ plan, placed: placeSteps(plan) }, values) };
}

function toReturn(
  result: PipeResult,
  name: string,
  toolCallId: string | undefined,
): [string | ToolMessage, PipeResult] {
  const content = JSON.stringify(toPipeReply(result));
  if (toolCallId === undefined && result.ok) return [content, result];
  const status = result.ok ? "success" : "error";
  const fields = {
    name,
    content,
    status,
    tool_call_id: toolCallId ?? "",
    artifact: result,
  } as const;
  return [new ToolMessage(fields), result];
}
