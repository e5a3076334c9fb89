import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Audience } from "../result/content-block.ts";
import type { HostPlugin, Plugin } from "../types/plugin.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import type { Hooks } from "./hooks.ts";
import { toPattern, toToolTest } from "./tool-patterns.ts";

/** The readers of tool results, by patterns of tool ids: `{ "bank.get_balance": ["user"] }`. */
export type Audiences = { readonly [pattern: string]: readonly Audience[] };

/** The options of `audience`: who may read the results of which tools. */
export interface AudienceOptions {
  /**
   * The readers of results that a server sends without an audience, by patterns of tool ids. The first match counts, so
   * a narrower pattern comes first. `{ "bank.get_balance": ["user"] }` keeps it from models. Default, as in MCP: everyone.
   */
  readonly tools?: Audiences;
  /**
   * Patterns of tools whose results models may read although their arguments hold content for the user alone, such as a tool that
   * only confirms: `["bank.confirm"]`. Default: none, so the result of such a call is for the user alone as well.
   */
  readonly releases?: readonly string[];
}

const checkOptions = /* @__PURE__ */ createOptionCheck<AudienceOptions>("audience", {
  tools: "object",
  releases: "texts",
});

/** Creates a plugin that sets who may read the results of tools if their servers do not set it. */
export function audience(options: AudienceOptions): Plugin {
  checkOptions(options);
  const { tools: audiences = {}, releases = [] } = options;
  const rules = Object.entries(audiences).map(([pattern, audience], index) => {
    const test = toPattern(pattern, "audience");
    const isKnown = Array.isArray(audience) && audience.length > 0;
    if (!isKnown || !audience.every((one) => one === "user" || one === "assistant")) {
      throw invalidOptions(
        `tools["${pattern}"] of audience must be ["user"], ["assistant"] or both.`,
      );
    }
    // The `*` of a later pattern is matched as any other character is: only a `*` fits it.
    const later = Object.keys(audiences).slice(index + 1);
    const lost = later.find((other) => test(/[.*]/.test(other) ? other : `*.${other}`));
    if (lost === undefined) return { audience, test };
    throw invalidOptions(
      `"${pattern}" of audience comes before "${lost}" and matches all of its tools, so "${lost}" never counts: put it first, or leave it out.`,
    );
  });
  const audienceOf = (tool: Tool) => rules.find(({ test }) => test(tool))?.audience;
  const plugin: HostPlugin = {
    name: "audience",
    names: [
      ...Object.keys(audiences).map((pattern) => ({ option: "audience", pattern, protects: true })),
      ...releases.map((pattern) => ({ option: "releases", pattern })),
    ],
    releases: toToolTest(releases, "releases"),
    transformResult(result, { tool }) {
      const own = audienceOf(tool);
      return own ? withAudience(result, { audience: own }) : result;
    },
    hidesErrors: (tool) => audienceOf(tool)?.includes("assistant") === false,
  };
  return plugin;
}

/** True if the result of a call is for the user alone: its arguments hold such content, and its tool does not release it. */
export function isForUserByCall(
  { releases = [] }: Pick<Hooks, "releases">,
  { tool, origin }: Pick<ToolCall, "tool" | "origin">,
): boolean {
  return origin.forUserAlone === true && !releases.some((isReleased) => isReleased(tool));
}

/** Marks a result as for the user alone, whatever its server has set. */
export function forUserAlone(result: CallToolResult): CallToolResult {
  return withAudience(result, { audience: ["user"], isAll: true });
}

/** Adds an audience to the blocks of a result. A value without blocks gets one that holds it, since the blocks decide who reads the value. */
function withAudience(
  result: CallToolResult,
  { audience, isAll = false }: { readonly audience: readonly Audience[]; readonly isAll?: boolean },
): CallToolResult {
  const { content, structuredContent } = result;
  const isBare = content.length === 0 && structuredContent !== undefined;
  const blocks = isBare ? [{ type: "text", text: JSON.stringify(structuredContent) }] : content;
  const annotated = blocks.map((block) => {
    const { annotations } = block;
    return isAll || annotations?.audience == null
      ? { ...block, annotations: { ...annotations, audience } }
      : block;
  });
  return { ...result, content: annotated };
}
