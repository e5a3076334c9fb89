import { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Audience } from "../result/content-block.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { HostTool } from "../types/tool.ts";
import { toPattern, toToolTest } from "./tool-patterns.ts";

/** Who may read the results of tools, by patterns of ids: `{ "bank.get_balance": ["user"] }`. */
export type Audiences = { readonly [pattern: string]: readonly Audience[] };

/** A call as audiences go by it. */
interface Asked {
  readonly tool: HostTool;
  readonly origin: CallOrigin;
}

/** Who may read what comes of a call. */
export interface CallAudience {
  /** The result with the audience that the operator gives it, or that its arguments hand on to it. */
  withAudience(call: Asked, result: CallToolResult): CallToolResult;
  /** True if models may read no error of the call either. */
  isForUser(call: Asked): boolean;
}

/**
 * Makes audiences of the operator those of results of which the server says nothing. What holds content for the user alone is for
 * the user alone itself, whatever its server says, unless its tool is one that `releases` such content.
 */
export function toAudience({
  audience: audiences = {},
  releases = [],
}: {
  readonly audience?: Audiences | undefined;
  readonly releases?: readonly string[] | undefined;
}): CallAudience {
  const isReleased = toToolTest(releases, "releases");
  const rules = Object.entries(audiences).map(([pattern, audience]) => {
    const isKnown = Array.isArray(audience) && audience.length > 0 && audience.every(isAudience);
    if (isKnown) return { audience, test: toPattern(pattern, "audience") };
    const message = `audience["${pattern}"] must be ["user"], ["assistant"] or both.`;
    throw new ToolrailError("invalid-options", message);
  });
  const handsOn = ({ tool, origin }: Asked) => origin.forUserAlone === true && !isReleased(tool);
  const audienceOf = (tool: HostTool) => rules.find(({ test }) => test(tool))?.audience;
  return {
    withAudience(call, result) {
      if (handsOn(call)) return withAudience(result, { audience: ["user"], isAll: true });
      const audience = audienceOf(call.tool);
      return audience ? withAudience(result, { audience }) : result;
    },
    isForUser(call) {
      return handsOn(call) || audienceOf(call.tool)?.includes("assistant") === false;
    },
  };
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
