import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host, Tool, ToolFilter } from "@toolrail/core";
import {
  type CallListeners,
  createOptionCheck,
  deferredTools,
  defineReadTool,
  offeredTools,
} from "@toolrail/core/adapter";
import type { Deferral } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";
import { providerSchema } from "@toolrail/json/schema";
import { type CallConfig, readConversation } from "./call-config.ts";
import { callTool } from "./call-tool.ts";
import { openTool, toReturn } from "./open-tool.ts";

/** Which tools `createTools` makes, and who is told of their calls. */
export interface ToolsOptions extends CallListeners {
  /** Which of the host's tools the model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * Tools that the model finds by the search of its provider, as `["crm.*"]` or `{ above: 50 }`: add
   * `providerToolSearchMiddleware()` of `langchain`. Hops and steps of pipes reach them nevertheless.
   */
  readonly defer?: ToolFilter | Deferral;
  /** True adds the tools for the application alone, to a `ToolNode` that hops reach, never a model. Default false. */
  readonly appOnly?: boolean;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ToolsOptions>("createTools", {
  tools: ["texts", "function"],
  defer: ["texts", "function", "object"],
  appOnly: "boolean",
  onHop: "function",
  onResult: "function",
});

/**
 * The host's tools for `createAgent`, `ToolNode` and `tool.invoke`, by the names that models see and
 * with a JSON Schema that providers take. A call runs its whole chain. For the artifact of its message see
 * `artifactOf`. The tools are those that the host has now; make them again when its list changes.
 */
export function createTools(host: Host, options: ToolsOptions = {}): DynamicStructuredTool[] {
  checkOptions(options);
  const { tools, defer, appOnly = false, ...listeners } = options;
  const hidden = appOnly ? host.tools.filter(({ forModel }) => !forModel) : [];
  const offered = offeredTools(host, tools);
  const deferred = deferredTools(host, { offered, defer });
  const made = [...offered, ...hidden].map((tool) =>
    createTool(host, { tool, isDeferred: deferred.has(tool.id), listeners }),
  );
  return [...made, ...createReadTool(host)];
}

/** One tool of the host, whoever it is for. */
export function createTool(
  host: Host,
  {
    tool,
    isDeferred = false,
    listeners = {},
  }: {
    readonly tool: Tool;
    readonly isDeferred?: boolean;
    readonly listeners?: CallListeners;
  },
): DynamicStructuredTool {
  return openTool({
    name: tool.modelName,
    description: tool.description ?? tool.title ?? tool.id,
    schema: providerSchema(tool.inputSchema),
    metadata: { toolrail: tool.id, ...(tool.title !== undefined && { title: tool.title }) },
    ...(isDeferred && { extras: { defer_loading: true } }),
    answer: (args, config) => callTool({ host, tool, args: args as JsonObject, config, listeners }),
  });
}

/** The tool `read_result`, where the host keeps long results: it reads those of the thread, and makes no call. */
function createReadTool(host: Host): DynamicStructuredTool[] {
  const definition = defineReadTool(host);
  if (!definition) return [];
  const { name, description, inputSchema: schema, read } = definition;
  const answer = async (input: unknown, config: CallConfig) =>
    toReturn(await read(input, readConversation(config)), { name, config });
  return [openTool({ name, description, schema, answer })];
}
