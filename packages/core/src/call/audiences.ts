import { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Audience } from "../result/content-block.ts";
import type { HostPlugin } from "../types/plugin.ts";
import type { HostTool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import type { Hooks } from "./hooks.ts";
import { toPattern, toToolTest } from "./tool-patterns.ts";

/** Who may read the results of tools, by patterns of ids: `{ "bank.get_balance": ["user"] }`. */
export type Audiences = { readonly [pattern: string]: readonly Audience[] };

/**
 * Makes audiences of the operator those of results of which the server says nothing. Results of tools that `releases` names
 * may be read by models although the arguments of their calls hold what is for the user alone.
 */
export function audience({
  audience: audiences = {},
  releases = [],
}: {
  readonly audience?: Audiences | undefined;
  readonly releases?: readonly string[] | undefined;
}): HostPlugin {
  const rules = Object.entries(audiences).map(([pattern, audience]) => {
    const isKnown = Array.isArray(audience) && audience.length > 0 && audience.every(isAudience);
    if (isKnown) return { audience, test: toPattern(pattern, "audience") };
    const message = `audience["${pattern}"] must be ["user"], ["assistant"] or both.`;
    throw new ToolrailError("invalid-options", message);
  });
  const audienceOf = (tool: HostTool) => rules.find(({ test }) => test(tool))?.audience;
  return {
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
}

/** True if what comes of a call is for the user alone: its arguments hold such content, and its tool does not release it. */
export function isForUserByCall(
  { releases = [] }: Pick<Hooks, "releases">,
  { tool, origin }: Pick<ToolCall, "tool" | "origin">,
): boolean {
  return origin.forUserAlone === true && !releases.some((isReleased) => isReleased(tool));
}

/** A result for the user alone, whatever its server says. */
export function forUserAlone(result: CallToolResult): CallToolResult {
  return withAudience(result, { audience: ["user"], isAll: true });
}

function isAudience(value: unknown): value is Audience {
  return value === "user" || value === "assistant";
}

/** A value without blocks gets one that holds it, since its readers are those of the blocks. */
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
