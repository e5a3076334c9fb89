import { createHost, type HostEvent, type HostOptions, type JsonObject } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core/adapter";
import {
  definePipeTool,
  PIPE_TOOL_NAME,
  type PipeLimits,
  type PipeResult,
  runPipe,
  toPipeReply,
} from "@toolrail/core/pipe";
import { createHandlerPort } from "./handler-port.ts";
import {
  type Handlers,
  handlerOf,
  handlersOf,
  type McpServerLike,
  type RequestContext,
  signalOf,
} from "./server-handlers.ts";

export interface McpPipeOptions extends Pick<HostOptions, "authorize"> {
  /** False registers nothing. Default true. */
  readonly enabled?: boolean;
  /** Tools that a pipe may call, by patterns of their names. Default: all that the server lists. */
  readonly tools?: readonly string[];
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
  if (options.enabled === false) return;
  const handlers = handlersOf(server);
  // The server's own answer, without mcp_pipe.
  const own: Handlers = new Map();
  for (const method of ["tools/list", "tools/call"]) own.set(method, handlerOf(handlers, method));
  handlers.set("tools/list", async (request, context) => {
    const page = await handlerOf(own, "tools/list")(request, context);
    if (!isJsonObject(page) || !Array.isArray(page.tools)) return page;
    if (page.nextCursor !== undefined && page.nextCursor !== null) return page;
    return {
      ...page,
      tools: [...page.tools, await defineTool({ handlers: own, context, params: {} }, options)],
    };
  });
  handlers.set("tools/call", async (request, context) => {
    const params = isJsonObject(request.params) ? request.params : {};
    if (params.name !== PIPE_TOOL_NAME) return handlerOf(own, "tools/call")(request, context);
    return callPipe({ handlers: own, context, params }, options);
  });
}

const SELF = "self";

/** The server's own handlers, and the request that is being answered. */
interface Own {
  readonly handlers: Handlers;
  readonly context: RequestContext;
  readonly params: JsonObject;
}

/** A host over the server's own handlers, for one request: its context goes with each call. */
function openHost({ handlers, context, params }: Own, options: McpPipeOptions) {
  const { tools, authorize, onEvent } = options;
  return createHost({
    servers: { [SELF]: createHandlerPort(handlers, context) },
    ...(tools && { allow: tools.map((name) => `${SELF}.${name}`) }),
    ...(authorize && { authorize }),
    ...(onEvent && { onEvent }),
    requestMeta: () => passedOn(params._meta),
  });
}

/** The caller's `_meta`, except its progress token. */
function passedOn(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const { progressToken: _, ...rest } = meta;
  return rest;
}

async function defineTool(own: Own, options: McpPipeOptions): Promise<JsonObject> {
  const host = await openHost(own, options);
  const { maxDescriptionTokens, flow } = options;
  const definition = definePipeTool(host, { maxDescriptionTokens, flow });
  return { ...definition, title: "Run a pipe of tools", outputSchema: OUTPUT, annotations: HINTS };
}

/** A pipe does whatever its steps do, so it promises nothing. */
const HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const OUTPUT = {
  type: "object",
  properties: { ok: { type: "boolean" }, error: { type: "string" }, result: {} },
  required: ["ok", "error"],
};

async function callPipe(own: Own, options: McpPipeOptions): Promise<JsonObject> {
  const host = await openHost(own, options);
  const result = await runPipe(host, {
    spec: own.params.arguments ?? {},
    author: "model",
    flow: options.flow,
    signal: signalOf(own.context),
    ...(options.limits && { limits: options.limits }),
  });
  return toToolResult(result);
}

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
