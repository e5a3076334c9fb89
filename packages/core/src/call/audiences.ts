import { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Audience } from "../result/content-block.ts";
import type { ToolRef } from "./tool.ts";
import { toPattern } from "./tool-patterns.ts";

/** Who may read the results of tools, by patterns of ids: `{ "bank.get_balance": ["user"] }`. */
export type Audiences = { readonly [pattern: string]: readonly Audience[] };

/** Makes audiences a function that gives those of a tool to what its server says nothing of. */
export function toAudience(
  audiences: Audiences = {},
): (tool: ToolRef, result: CallToolResult) => CallToolResult {
  const rules = Object.entries(audiences).map(([pattern, audience]) => {
    const isKnown = Array.isArray(audience) && audience.length > 0 && audience.every(isAudience);
    if (isKnown) return { audience, test: toPattern(pattern, "audience") };
    const message = `audience["${pattern}"] must be ["user"], ["assistant"] or both.`;
    throw new ToolrailError("invalid-options", message);
  });
  return (tool, result) => {
    const audience = rules.find(({ test }) => test(tool))?.audience;
    return audience ? withAudience(result, audience) : result;
  };
}

function isAudience(value: unknown): value is Audience {
  return value === "user" || value === "assistant";
}

/** A value without blocks gets one that holds it, since its readers are those of the blocks. */
function withAudience(result: CallToolResult, audience: readonly Audience[]): CallToolResult {
  const { content, structuredContent } = result;
  const isBare = content.length === 0 && structuredContent !== undefined;
  const blocks = isBare ? [{ type: "text", text: JSON.stringify(structuredContent) }] : content;
  const annotated = blocks.map((block) => {
    const { annotations } = block;
    return annotations?.audience == null
      ? { ...block, annotations: { ...annotations, audience } }
      : block;
  });
  return { ...result, content: annotated };
}
