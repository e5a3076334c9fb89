import type { ToolFilter } from "../../call/tool-patterns.ts";
import { createOptionCheck, type OptionTable } from "../../check-options.ts";
import type { Host } from "../../host/host.ts";
import { offeredTools } from "../../host/offered-tools.ts";
import type { JsonObject } from "../../json/json.ts";
import type { Tool } from "../../types/tool.ts";
import type { ParsePipeOptions } from "../compile/check-pipe.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-tool-step.ts";
import type { PipeResult } from "../types.ts";
import { type Detail, describeTool } from "./describe-tool.ts";

/** The options of `createPipeTool` in every framework. */
export interface PipeToolSettings extends Pick<ParsePipeOptions, "limits" | "follow"> {
  /** False offers no such tool. Default true. */
  readonly enabled?: boolean | undefined;
  /** The tools that a step may call. The description lists them. Default: all tools for models. */
  readonly tools?: ToolFilter | undefined;
  /** The maximum size of the description in tokens, at four characters a token. Default 1,500. */
  readonly maxDescriptionTokens?: number | undefined;
}

/** The kinds of the settings of `mcp_pipe`, for adapters that check their own options. */
export const PIPE_TOOL_OPTIONS: OptionTable<PipeToolSettings> = {
  enabled: "boolean",
  tools: ["texts", "function"],
  maxDescriptionTokens: "number",
  follow: "boolean",
  limits: "object",
};

const checkSettings = /* @__PURE__ */ createOptionCheck<PipeToolSettings>(
  "definePipeTool",
  PIPE_TOOL_OPTIONS,
);

/** A call of `mcp_pipe` by a model, with its whole result. */
export interface PipeToolCall {
  /** `undefined` if the tool was run without a tool call. */
  readonly toolCallId: string | undefined;
  /** The spec as the model wrote it. */
  readonly spec: unknown;
  readonly result: PipeResult;
}

/** Listeners of `mcp_pipe`. The tool waits for them and ignores their errors. */
export interface PipeToolListeners {
  /** Receives each run once, when it has ended, with all of its steps. The model reads only part of that. */
  readonly onResult?: ((call: PipeToolCall) => void | PromiseLike<void>) | undefined;
}

/** A tool as frameworks and servers define it. */
export interface PipeToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/**
 * Defines the tool `mcp_pipe` for a framework. Returns `undefined` if it is disabled. The description lists the
 * offered tools with their arguments and output fields. If it grows too long, it describes each tool more briefly, then leaves
 * some out. A spec may name these too.
 */
export function definePipeTool(
  host: Host,
  settings: PipeToolSettings = {},
): PipeToolDefinition | undefined {
  checkSettings(settings);
  const { enabled = true, tools, maxDescriptionTokens = 1_500 } = settings;
  if (!enabled) return undefined;
  const offered = offeredTools(host, tools)
    .filter(({ name }) => name !== PIPE_TOOL_NAME)
    .map((tool) => ({ tool, name: findShortName(tool, host.tools) }));
  const introduction = `${INTRODUCTION}\nTools -> structured (no type: string):\n`;
  const room = maxDescriptionTokens * 4 - introduction.length;
  return {
    name: PIPE_TOOL_NAME,
    description: `${introduction}${listTools(offered, room)}`,
    inputSchema: INPUT_SCHEMA,
  };
}

const EXAMPLE = {
  vars: { q: "tea" },
  steps: [
    { id: "s", tool: "search", args: { query: "$" + "{vars.q}" } },
    { id: "f", tool: "fetch", args: { url: { $ref: "steps.s.structured.results.0.url" } } },
  ],
  return: { $ref: "steps.f.text" },
};

/** The text that the model reads with every request. To be short, it does not repeat what the example shows. */
const INTRODUCTION = `Runs tools in one call, outputs handed on unread. Example with made-up tools: ${JSON.stringify(EXAMPLE)}. Instead of tool, a step may have parallel: [steps], read at steps.ID.children.ID, or pipe: {vars, steps, return}, read at steps.ID.result. $ref keeps the type; \${} is for text. Only return comes back: select little.`;

/**
 * The top level of a spec, with the member `spec` as the other way to send it. Steps have no schema: some providers refuse
 * recursive schemas, the whole schema would cost tokens in every request, and the spec is checked before any call.
 */
const INPUT_SCHEMA = {
  type: "object",
  properties: {
    vars: { type: "object", properties: {} },
    steps: { type: "array", items: { type: "object", properties: {} } },
    return: {},
    continue_on_error: { type: "boolean" },
    spec: {},
  },
};

function listTools(
  tools: readonly { readonly tool: Tool; readonly name: string }[],
  room: number,
): string {
  const linesWith = (detail: Detail) =>
    tools.map(({ tool, name }) => describeTool(tool, { name, detail }));
  for (const detail of ["all", "fields", "arguments", "name"] as const) {
    const text = linesWith(detail).join("\n");
    if (text.length <= room) return text;
  }
  let left = room - 40;
  const lines = linesWith("name").filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
  return [...lines, `- and ${tools.length - lines.length} more`].join("\n");
}

/** Returns the bare name if no other tool of the host has it, as a spec may write it, or else the id. */
function findShortName(tool: Tool, tools: readonly Tool[]): string {
  const { id, name } = tool;
  const isShared = tools.some((one) => one !== tool && [one.name, one.modelName].includes(name));
  return isShared ? id : name;
}
