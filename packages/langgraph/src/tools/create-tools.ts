import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { Host, Tool, ToolFilter } from "@toolrail/core";
import { type CallListeners, createOptionCheck, offeredTools } from "@toolrail/core/adapter";
import { type JsonObject, providerSchema } from "@toolrail/core/json";
import type { CallConfig } from "./call-config.ts";
import { callTool } from "./call-tool.ts";

/** The options of `createTools`: the tools that it creates, and the listeners of their calls. */
export interface ToolsOptions extends CallListeners {
  /** Selects which of the host's tools are offered to the model. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * If true, adds the tools for the application only, which hops reach in a `ToolNode`. Never offer them to a model.
   * Default: false.
   */
  readonly appOnly?: boolean;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ToolsOptions>("createTools", {
  tools: ["texts", "function"],
  appOnly: "boolean",
  onHop: "function",
  onResult: "function",
});

/**
 * Creates the host's tools for `createAgent`, `ToolNode` and `tool.invoke`. They have their model names and a JSON
 * Schema that providers accept. A call runs its whole chain. For the artifact of its message see `artifactOf`. The
 * tools are those that the host has now: create them again when its list changes.
 */
export function createTools(host: Host, options: ToolsOptions = {}): DynamicStructuredTool[] {
  checkOptions(options);
  const { tools, appOnly = false, ...listeners } = options;
  const hidden = appOnly ? host.tools.filter(({ forModel }) => !forModel) : [];
  const offered = offeredTools(host, tools);
  return [...offered, ...hidden].map((tool) => createTool(host, { tool, listeners }));
}

export function createTool(
  host: Host,
  { tool, listeners }: { readonly tool: Tool; readonly listeners: CallListeners },
): DynamicStructuredTool {
  const { id, title } = tool;
  const made = openTool({
    name: tool.modelName,
    description: tool.description ?? title ?? id,
    schema: providerSchema(tool.inputSchema),
    metadata: title === undefined ? { toolrail: id } : { toolrail: id, title },
    answer: (args, config) => callTool({ host, tool, args: args as JsonObject, config, listeners }),
  });
  hostOf.set(made, host);
  return made;
}

/** The host of each tool, since two hosts may have tools of the same ids. */
export const hostOf = new WeakMap<object, Host>();

/**
 * The content and artifact of a message, as LangChain's `content_and_artifact` requires, or a message or command as
 * content.
 */
export type ToolReturn = [content: unknown, artifact: unknown];

interface OpenToolFields {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly metadata?: JsonObject;
  answer(args: unknown, config: CallConfig): Promise<ToolReturn>;
}

/**
 * Creates a tool that models see with its schema, and that LangChain calls without its own check of the arguments.
 * LangChain's validator would compile the patterns of an untrusted server unchanged, and its errors name less. The
 * host checks the arguments instead. So calls run through a twin whose schema accepts any object.
 */
export function openTool({ schema, answer, ...fields }: OpenToolFields): DynamicStructuredTool {
  const create = (shown: JsonObject) =>
    new DynamicStructuredTool({
      ...fields,
      schema: shown,
      responseFormat: "content_and_artifact",
      func: (args: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) =>
        answer(args, config),
    });
  const shown = create(schema);
  const open = create({ type: "object" });
  shown.invoke = open.invoke.bind(open);
  return shown;
}
