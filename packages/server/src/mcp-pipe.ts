import type { HostEvent, HostOptions, JsonObject } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core/adapter";
import {
  definePipeTool,
  PIPE_TOOL_NAME,
  type PipeLimits,
  type PipeResult,
  runPipe,
  toPipeReply,
} from "@toolrail/core/pipe";
import {
  handlerOf,
  handlersOf,
  type McpServerLike,
  type RequestContext,
  signalOf,
} from "./server-handlers.ts";
import { openServerHost, SELF } from "./server-host.ts";

/** Which tools the tool `mcp_pipe` may call, and within which bounds. */
export interface McpPipeOptions extends Pick<HostOptions, "authorize"> {
  /** False registers nothing. Default true. */
  readonly enabled?: boolean;
  /** Tools that a pipe may call, by patterns of their names. Default: all that the server lists. */
  readonly tools?: readonly string[];
  /** Bounds on what each pipe may cost. Default: those that `PipeLimits` names. */
  readonly limits?: Partial<PipeLimits>;
  /** The approximate number of tokens that the description may cost. Default 1,500. */
  readonly maxDescriptionTokens?: number;
  /** False rejects `order`, `after`, `when`, `for_each` and `$cel`. Default true. */
  readonly flow?: boolean;
  /** Told of the pipe and of each sub-call; what it throws is ignored. */
  readonly onEvent?: (event: HostEvent) => void;
}

/**
 * Offers `mcp_pipe` over the server's own tools. Each step passes the server's own `tools/call` handler
 * with the caller's context, so authorization, billing and records are the same as for a
 * single call. Call it after the tools are registered; tools added later are found too.
 */
export function registerMcpPipe(server: McpServerLike, options: McpPipeOptions = {}): void {
  const { enabled = true, tools, authorize, onEvent, maxDescriptionTokens, limits, flow } = options;
  if (!enabled) return;
  const handlers = handlersOf(server);
  // The server's own answer, without mcp_pipe.
  const list = handlerOf(handlers, "tools/list");
  const call = handlerOf(handlers, "tools/call");
  const own = new Map([
    ["tools/list", list],
    ["tools/call", call],
  ]);
  const open = (context: RequestContext, meta?: unknown) =>
    openServerHost(own, {
      context,
      requestMeta: () => passedOn(meta),
      ...(tools && { allow: tools.map((name) => `${SELF}.${name}`) }),
      ...(authorize && { authorize }),
      ...(onEvent && { onEvent }),
    });
  handlers.set("tools/list", async (request, context) => {
    const page = await list(request, context);
    if (!isJsonObject(page) || !Array.isArray(page.tools)) return page;
    if (page.nextCursor !== undefined && page.nextCursor !== null) return page;
    const definition = definePipeTool(await open(context), { maxDescriptionTokens, flow });
    return { ...page, tools: [...page.tools, { ...definition, ...SHOWN }] };
  });
  handlers.set("tools/call", async (request, context) => {
    const params = isJsonObject(request.params) ? request.params : {};
    if (params.name !== PIPE_TOOL_NAME) return call(request, context);
    const result = await runPipe(await open(context, params._meta), {
      spec: params.arguments ?? {},
      author: "model",
      flow,
      signal: signalOf(context),
      ...(limits && { limits }),
    });
    return toToolResult(result);
  });
}

/** The caller's `_meta`, except its progress token. */
function passedOn(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const { progressToken: _, ...rest } = meta;
  return rest;
}

const SHOWN = {
  title: "Run a pipe of tools",
  // A pipe does whatever its steps do, so it promises nothing.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  outputSchema: {
    type: "object",
    properties: { ok: { type: "boolean" }, error: { type: "string" }, result: {} },
    required: ["ok", "error"],
  },
};

/** The results of all steps go into `_meta`, which no model reads. */
function toToolResult(result: PipeResult): JsonObject {
  const reply = toPipeReply(result);
  return {
    content: [{ type: "text", text: JSON.stringify(reply) }],
    structuredContent: reply,
    isError: !result.ok,
    _meta: { "toolrail/steps": result.steps },
  };
}
