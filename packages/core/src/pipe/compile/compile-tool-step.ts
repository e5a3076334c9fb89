import { engineOf } from "../../host/host-engine.ts";
import { isJsonObject, type JsonObject } from "../../json/json.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { Tool } from "../../types/tool.ts";
import { isReference } from "../spec/references.ts";
import type { ToolStep } from "../spec/spec.ts";
import type { CompiledToolStep, Site } from "../types.ts";
import { checkValue, note, within } from "./known-values.ts";

/** The name of the tool that runs pipes. No step may call it. */
export const PIPE_TOOL_NAME = "mcp_pipe";

/** Compiles a tool step: its tool must exist and accept the known arguments. */
export function compileTool(
  { tool: name, args: given = {} }: ToolStep,
  site: Site,
): Pick<CompiledToolStep, "tool" | "args"> {
  const { host, problems } = site;
  const place = within(site, "args");
  const before = problems.length;
  const { parsed, isLiteral } = checkValue(given, place);
  const args = parsed as JsonObject;
  const tool = findStepTool(name, site);
  if (typeof tool === "string") {
    note(within(site, "tool"), tool);
    return { tool: { server: "", name }, args };
  }
  if (problems.length === before && !isReference(given)) {
    const problem = isLiteral
      ? engineOf(host).checkArguments({ tool, arguments: given })?.message
      : keyProblem(tool, Object.keys(given));
    note(place, problem);
  }
  return { tool: { server: tool.server, name: tool.name }, args };
}

/** Finds the tool of a step, by the name that a model sees or by the names of a host. Returns the reason if there is none. */
function findStepTool(name: string, { host, author, offered }: Site): Tool | string {
  let tool = host.tools.find(({ modelName }) => modelName === name);
  try {
    tool ??= host.find(name);
  } catch (cause) {
    if (name === PIPE_TOOL_NAME) return RECURSION;
    return messageOf(cause);
  }
  if (tool.name === PIPE_TOOL_NAME) return RECURSION;
  if (offered && !offered.has(tool)) return `tool ${tool.id} is not offered here`;
  if (author === "application" || tool.forModel) return tool;
  return `tool ${tool.id} is only for the application and cannot be part of a model's pipe`;
}

const RECURSION = `${PIPE_TOOL_NAME} cannot call itself; write a step { "id", "pipe": { "steps": [...] } } instead`;

/** Finds missing and unknown arguments, as far as the top level of the schema lists them. */
function keyProblem({ id, inputSchema }: Tool, given: readonly string[]): string | undefined {
  const { required, properties, additionalProperties, patternProperties } = inputSchema;
  const missing = Array.isArray(required) ? required.filter((key) => !given.includes(key)) : [];
  if (missing.length > 0) return `${id} also needs ${missing.join(", ")}`;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const unknown = given.filter((key) => !names.includes(key));
  if (unknown.length === 0) return undefined;
  return `${id} takes no ${unknown.join(", ")}; it takes ${names.join(", ") || "no arguments"}`;
}
