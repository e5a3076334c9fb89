import type { HostTool } from "../host/tool.ts";
import type { JsonObject } from "../json.ts";
import { PIPE_TOOL_NAME } from "./check-step-tool.ts";
import { type Detail, describeTool } from "./describe-tool.ts";
import { type FailedStep, failedSteps, type PipeResult } from "./pipe-result.ts";

export interface PipeToolOptions {
  /** About how many tokens the description may cost, at four characters a token. Default 1,500. */
  readonly maxDescriptionTokens?: number | undefined;
}

/** A tool as frameworks and servers define it. */
export interface PipeToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * The definition of `mcp_pipe` over these tools. Its description lists them with their arguments and
 * output fields; where that grows too long, it says less of each, and at last leaves some out. A spec may
 * name every tool of its host all the same.
 */
export function describePipeTool(
  tools: readonly HostTool[],
  { maxDescriptionTokens = 1_500 }: PipeToolOptions = {},
): PipeToolDefinition {
  const offered = tools.filter((tool) => tool.forModel && tool.name !== PIPE_TOOL_NAME);
  const room = maxDescriptionTokens * CHARACTERS_PER_TOKEN - INTRODUCTION.length;
  return {
    name: PIPE_TOOL_NAME,
    description: `${INTRODUCTION}${listTools(offered, room)}`,
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

/** Sent to the model with every request, so it says each thing once: what the example shows, only there. */
const INTRODUCTION = `Runs tools in one call, outputs handed on unread. Example with made-up tools: ${JSON.stringify(EXAMPLE)}. Instead of tool, a step may have parallel: [steps], read at steps.ID.children.ID, or pipe: {vars, steps, return}, read at steps.ID.result. $ref keeps the type; \${} is for text. Only return comes back: select little.
Tools -> structured (no type: string):
`;

/**
 * The top level of a spec, with the member `spec` as the other way to send it. Steps stay open: not every
 * provider takes a recursive schema, all of it would cost tokens in every request, and the spec is checked
 * as a whole before anything is called.
 */
const INPUT_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    vars: { type: "object" },
    steps: { type: "array", items: { type: "object" } },
    return: {},
    continue_on_error: { type: "boolean" },
    spec: {},
  },
};

function listTools(tools: readonly HostTool[], room: number): string {
  const details: readonly Detail[] = ["all", "fields", "arguments", "name"];
  for (const detail of details) {
    const text = tools.map((tool) => describeTool(tool, nameOf(tool, tools), detail)).join("\n");
    if (text.length <= room) return text;
  }
  const lines: string[] = [];
  let left = room - 40;
  for (const tool of tools) {
    const line = describeTool(tool, nameOf(tool, tools), "name");
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return [...lines, `- and ${tools.length - lines.length} more`].join("\n");
}

/** The bare name where only one tool has it, as a spec may write it. */
function nameOf(tool: HostTool, tools: readonly HostTool[]): string {
  return tools.some((other) => other !== tool && other.name === tool.name) ? tool.id : tool.name;
}

/** What a model reads of a run: never the output of each step. */
export interface PipeReply {
  readonly ok: boolean;
  readonly error: string;
  readonly result: unknown;
  /** Left out where all is well. */
  readonly failed?: readonly FailedStep[];
}

const MAX_ERROR = 2_000;
/** Of all failed steps together. */
const MAX_FAILED = 8_000;

/** The small reply of `mcp_pipe`. The application keeps the whole result. */
export function toPipeReply({ ok, error, steps, ...values }: PipeResult): PipeReply {
  const { result, result_for_model: shown = result } = values;
  const all = failedSteps({ steps });
  const most = Math.min(MAX_ERROR, Math.floor(MAX_FAILED / all.length));
  const failed = all.map(({ path, error: why }) => ({
    path: cut(path, 400),
    error: cut(why, most),
  }));
  const reply = { ok, error: cut(error, MAX_ERROR), result: shown };
  return failed.length > 0 ? { ...reply, failed } : reply;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut)` : text;
}
