import { createOptionCheck } from "../check-options.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import type { Audience, CallToolResult } from "../result/call-tool-result.ts";
import { withoutWords } from "./call-error.ts";
import type { Use } from "./plugin.ts";
import { type Tool, toPattern } from "./tool.ts";

/** The readers of tool results, by patterns of tool ids: `{ "bank.get_balance": ["user"] }`. */
export type Audiences = { readonly [pattern: string]: readonly Audience[] };

/** The options of `audience`: who may read the results of which tools. */
export interface AudienceOptions {
  /**
   * The readers of results that a server sends without an audience, by patterns of tool ids. The first match counts, so
   * a narrower pattern comes first. `{ "bank.get_balance": ["user"] }` keeps it from models. Default, as in MCP: everyone.
   */
  readonly tools?: Audiences;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<AudienceOptions>(
  "audience",
  {
    tools: "object",
  },
  { isRequired: true },
);

/** Creates a plugin that sets who may read the results of tools, and their errors, if their servers do not set it. */
export function audience(options: AudienceOptions): Use {
  checkOptions(options);
  const { tools: audiences = {} } = options;
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
  return ({ watchNames }) => {
    const about = { option: "audience", protects: true };
    watchNames(Object.keys(audiences).map((pattern) => ({ ...about, pattern })));
    return {
      name: "audience",
      async wrapCall(call, next) {
        const readers = audienceOf(call.tool);
        if (!readers) return next(call);
        try {
          return withAudience(await next(call), readers);
        } catch (cause) {
          const isForUser = ToolrailError.isInstance(cause) && !readers.includes("assistant");
          throw isForUser ? withoutWords(cause, call.tool.id) : cause;
        }
      },
    };
  };
}

/** Adds an audience to the blocks of a result. A value without blocks gets one that holds it, since the blocks decide who reads the value. */
function withAudience(result: CallToolResult, audience: readonly Audience[]): CallToolResult {
  const { content = [], structuredContent } = result;
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
