/** The tool `mcp_pipe` for the tools of a server. @module */

import type { HostOptions } from "@toolrail/core";
import { createOptionCheck, createWarnings, engineOf, toToolTest } from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import {
  definePipeTool,
  PIPE_TOOL_NAME,
  PIPE_TOOL_OPTIONS,
  type PipeResult,
  type PipeToolSettings,
  runPipe,
  toPipeOutput,
  toPipeReply,
} from "@toolrail/core/pipe";
import {
  handlerOf,
  handlersOf,
  type McpServerLike,
  openServerHost,
  type RequestContext,
  SELF,
  signalOf,
} from "./server-handlers.ts";

/** Options of `mcp_pipe` on a server: its tools, limits and listeners. */
export interface McpPipeOptions
  extends Omit<PipeToolSettings, "tools">,
    Pick<HostOptions, "authorize" | "onEvent"> {
  /** The tools that a pipe may call, by patterns of their names. Default: all that the server lists. */
  readonly tools?: readonly string[];
}

const checkOptions = /* @__PURE__ */ createOptionCheck<McpPipeOptions>("registerMcpPipe", {
  ...PIPE_TOOL_OPTIONS,
  tools: "texts",
  authorize: ["function", "functions"],
  onEvent: "function",
});

/**
 * Offers `mcp_pipe` for the server's own tools. Each step passes the server's `tools/call` handler with the caller's context, so
 * that authorization, billing and records are the same as for a single call. Call it after the tools are registered. It also
 * finds tools that are added later.
 */
export function registerMcpPipe(server: McpServerLike, options: McpPipeOptions = {}): void {
  checkOptions(options);
  const { enabled = true, tools, authorize, maxDescriptionTokens, limits } = options;
  if (!enabled) return;
  const { onEvent = createWarnings() } = options; // Each request has a new host, but each problem is reported only once.
  const handlers = handlersOf(server);
  const ownHandlers = new Map(handlers); // A copy of the handlers without `mcp_pipe`.
  const list = handlerOf(ownHandlers, "tools/list");
  const call = handlerOf(ownHandlers, "tools/call");
  const named = tools?.map((name) => `${SELF}.${name}`);
  const openHost = async (context: RequestContext, meta?: JsonObject) => {
    const host = await openServerHost(ownHandlers, {
      context,
      use: [{ name: "request", requestMeta: () => meta }],
      ...(named && { allow: toToolTest(named, "tools") }),
      ...(authorize && { authorize }),
      onEvent,
    });
    if (named) engineOf(host).watchNames("tools", named);
    return host;
  };
  handlers.set("tools/list", async (request, context) => {
    const page = await list(request, context);
    if (!isJsonObject(page) || !Array.isArray(page.tools)) return page;
    if (page.nextCursor !== undefined && page.nextCursor !== null) return page;
    const definition = definePipeTool(await openHost(context), { maxDescriptionTokens });
    return { ...page, tools: [...page.tools, { ...definition, ...SHOWN }] };
  });
  handlers.set("tools/call", async (request, context) => {
    const params = isJsonObject(request.params) ? request.params : {};
    if (params.name !== PIPE_TOOL_NAME) return call(request, context);
    const {
      progressToken: _,
      [KEY]: key,
      ...meta
    } = isJsonObject(params._meta) ? params._meta : {};
    const result = await runPipe(await openHost(context, meta), {
      // Each call has its own key in place of the pipe's, or a tool that recognizes a repeated call would take the next step for one.
      key: typeof key === "string" ? key : undefined,
      spec: params.arguments ?? {},
      author: "model",
      signal: signalOf(context),
      limits,
    });
    return toToolResult(result);
  });
}

/** The key in the `_meta` of a call that is made once. */
const KEY = "toolrail/idempotencyKey";

/** The rest of the definition of `mcp_pipe` in `tools/list`. */
const SHOWN: JsonObject = {
  title: "Run a pipe of tools",
  // A pipe does whatever its steps do, so it promises nothing.
  annotations: { readOnlyHint: false, destructiveHint: true },
  outputSchema: {
    type: "object",
    properties: {
      ok: { type: "boolean" },
      error: { type: "string" },
      result: {},
      steps: { type: "object" },
    },
    required: ["ok", "error", "steps"],
  },
};

/** Converts a pipe's result to that of a call. Its text is the short reply, and its structured content has all steps. */
function toToolResult(result: PipeResult): JsonObject {
  const reply = toPipeReply(result);
  return {
    content: [{ type: "text", text: JSON.stringify(reply) }],
    structuredContent: toPipeOutput(reply, result.steps),
    isError: !reply.ok,
  };
}
