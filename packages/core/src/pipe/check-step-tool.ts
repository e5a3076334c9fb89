import { ToolrailError } from "../errors.ts";
import type { HostTool } from "../host/tool.ts";
import { isJsonObject } from "../json.ts";
import type { PipeHost } from "./pipe-host.ts";
import type { PipeAuthor } from "./pipe-plan.ts";
import type { Template } from "./template.ts";

/** The name of the tool that runs pipes. No step may call it. */
export const PIPE_TOOL_NAME = "mcp_pipe";

/** The tool of a step. A string says why the step may not call it. */
export function findStepTool(host: PipeHost, name: string, author: PipeAuthor): HostTool | string {
  let tool: HostTool;
  try {
    tool = findTool(host, name);
  } catch (cause) {
    if (name === PIPE_TOOL_NAME) return RECURSION;
    return cause instanceof Error ? cause.message : String(cause);
  }
  if (tool.name === PIPE_TOOL_NAME) return RECURSION;
  if (author === "model" && !tool.forModel) {
    return `tool ${tool.id} is for the application alone and cannot be part of a model's pipe`;
  }
  return tool;
}

const RECURSION = `${PIPE_TOOL_NAME} cannot call itself; write a step { "id", "pipe": { "steps": [...] } } instead`;

/** By the names of a host, else by the name that a model sees. */
function findTool(host: PipeHost, name: string): HostTool {
  try {
    return host.find(name);
  } catch (cause) {
    const byModelName = host.tools.find(({ modelName }) => modelName === name);
    if (byModelName && ToolrailError.isInstance(cause) && cause.code === "unknown-tool") {
      return byModelName;
    }
    throw cause;
  }
}

/** What can be known of a step's arguments before the first call: all, where they hold no reference. */
export function checkStepArguments(
  host: PipeHost,
  tool: HostTool,
  args: Template,
): string | undefined {
  if (args.type === "value") {
    if (!isJsonObject(args.value)) return undefined; // The shape is at fault, and was reported.
    return host.checkArguments({ tool, arguments: args.value })?.message;
  }
  return args.type === "object" ? checkKeys(tool, args.entries) : undefined;
}

/** Missing and unknown names, as far as the top of the schema says. */
function checkKeys(
  { id, inputSchema }: HostTool,
  entries: readonly (readonly [string, Template])[],
): string | undefined {
  const given = new Set(entries.map(([key]) => key));
  const { required, properties, additionalProperties, patternProperties } = inputSchema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const missing = Array.isArray(required) ? required.filter((key) => !given.has(key)) : [];
  if (missing.length > 0) return `${id} also needs ${missing.join(", ")}`;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const unknown = [...given].filter((key) => !names.includes(key));
  if (unknown.length === 0) return undefined;
  return `${id} takes no ${unknown.join(", ")}; it takes ${names.join(", ") || "no arguments"}`;
}
