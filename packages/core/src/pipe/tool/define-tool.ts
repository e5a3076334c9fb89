import type { Tool, ToolFilter } from "../../call/tool.ts";
import { createOptionCheck, type OptionTable } from "../../check-options.ts";
import { offeredTools } from "../../host/for-adapters.ts";
import type { Host } from "../../host/host.ts";
import { isJsonObject, type JsonObject } from "../../json/json.ts";
import { shorten } from "../../json/plain-text.ts";
import type { ParsePipeOptions } from "../compile/check-pipe.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-steps.ts";
import type { PipeResult } from "../variables/results.ts";

/** The options of `createPipeTool` in every framework. */
export interface PipeToolSettings extends Pick<ParsePipeOptions, "limits"> {
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

interface NamedTool {
  readonly tool: Tool;
  readonly name: string;
}

/** Lists tools in as much detail as there is room for. */
function listTools(tools: readonly NamedTool[], room: number): string {
  for (const detail of ["all", "fields", "arguments", "name"] as const) {
    const text = tools.map((tool) => describeTool(tool, detail)).join("\n");
    if (text.length <= room) return text;
  }
  let left = room - 40;
  const lines = tools.map((tool) => describeTool(tool, "name"));
  const shown = lines.filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
  return [...shown, `- and ${tools.length - shown.length} more`].join("\n");
}

/** Returns the bare name if no other tool of the host has it, as a spec may write it, or else the id. */
function findShortName(tool: Tool, tools: readonly Tool[]): string {
  const { id, name } = tool;
  const isShared = tools.some((one) => one !== tool && [one.name, one.modelName].includes(name));
  return isShared ? id : name;
}

/** The level of detail of a description, from the name alone to everything. */
type Detail = "name" | "arguments" | "fields" | "all";

/** Describes a tool in one line for the author of a pipe: `- web_fetch(url) -> {content}: Fetches a page.` */
function describeTool({ tool, name }: NamedTool, detail: Detail): string {
  if (detail === "name") return `- ${name}`;
  const call = `- ${name}(${describeMembers(tool.inputSchema, 0)})`;
  if (detail === "arguments") return call;
  const fields = tool.outputSchema ? ` -> ${describeType(tool.outputSchema, 2)}` : " -> text";
  const sentence = detail === "fields" ? "" : firstSentence(tool.description ?? "");
  return `${call}${fields}${sentence && `: ${sentence}`}`;
}

/** Lists names and all types except strings. Optional names get a question mark. Follows no references. */
function describeMembers({ properties, required }: JsonObject, depth: number): string {
  if (!isJsonObject(properties)) return "";
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).slice(0, 24);
  return members
    .map(([key, schema]) => {
      const type = describeType(schema, depth);
      return `${clean(key, 40)}${needed.has(key) ? "" : "?"}${type === "string" ? "" : `: ${type}`}`;
    })
    .join(", ");
}

function describeType(schema: unknown, depth: number): string {
  if (!isJsonObject(schema)) return "any";
  const { type, items, enum: values } = schema;
  if (Array.isArray(values) && values.length <= 6) {
    return values.map((value) => clean(JSON.stringify(value) ?? "", 30)).join("|");
  }
  if (type === "array") return `${describeType(items, depth)}[]`;
  if (type === "object" || isJsonObject(schema.properties)) {
    const members = depth > 0 ? describeMembers(schema, depth - 1) : "";
    return members === "" ? "object" : `{${members}}`;
  }
  return typeof type === "string" ? clean(type, 20) : "any";
}

function firstSentence(description: string): string {
  const text = clean(description, 160);
  const end = text.search(/[.!?](\s|$)/);
  return end < 0 ? text : text.slice(0, end + 1);
}

/** Removes line breaks, control and direction characters, since descriptions come from untrusted servers. */
function clean(text: string, most: number): string {
  const start = text.slice(0, most * 4);
  return shorten(start.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), most);
}
