import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { DynamicStructuredTool } from "@langchain/core/tools";
import {
  type Host,
  type HostTool,
  type JsonObject,
  type ModelViewOptions,
  offeredTools,
  type ToolFilter,
} from "@toolrail/core";
import type { CallConfig } from "./call-config.ts";
import { callTool } from "./call-tool.ts";

export interface ToolsOptions extends ModelViewOptions {
  /** Which of the host's tools the model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * True adds the tools that are for the application alone, which hops may reach: for the `ToolNode` of
   * a graph with `chainNode`, never for a model. Default false.
   */
  readonly appOnly?: boolean;
}

/**
 * The host's tools for `createAgent`, `ToolNode` and `tool.invoke`, by the names that models see and
 * with the server's own JSON Schema. A call runs its whole chain. The artifact of the message is a
 * `ToolArtifact`. The tools are those that the host has now; make them again when its list changes.
 */
export function createTools(host: Host, options: ToolsOptions = {}): DynamicStructuredTool[] {
  const hidden = options.appOnly ? host.tools.filter(({ forModel }) => !forModel) : [];
  return [...offeredTools(host, options.tools), ...hidden].map((tool) =>
    createTool(host, tool, options),
  );
}

/** One tool of the host, whoever it is for. */
export function createTool(
  host: Host,
  tool: HostTool,
  options: ModelViewOptions,
): DynamicStructuredTool {
  const fields = {
    name: tool.modelName,
    description: tool.description ?? tool.title ?? tool.id,
    responseFormat: "content_and_artifact" as const,
    metadata: { toolrail: tool.id, ...(tool.title !== undefined && { title: tool.title }) },
    func: (args: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) =>
      callTool({ host, tool, options }, args as JsonObject, config),
  };
  const shown = new DynamicStructuredTool({ ...fields, schema: tool.inputSchema as JsonObject });
  // LangChain would check the arguments first, with a validator that compiles a stranger's patterns
  // as they are. The door checks them, so calls go through a twin that accepts any object.
  const open = new DynamicStructuredTool({ ...fields, schema: { type: "object" } });
  return Object.defineProperty(shown, "invoke", { value: open.invoke.bind(open) });
}
