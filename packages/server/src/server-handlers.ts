import { ToolrailError } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";

/** `McpServer` or `Server` of `@modelcontextprotocol/sdk` (v1) or `/server` (v2). Neither is imported. */
export interface McpServerLike {
  close(): Promise<void>;
}

/** The second argument of a handler: `extra` in v1, `ctx` in v2. */
export type RequestContext = object | undefined;

export type Handler = (request: JsonObject, context: RequestContext) => unknown;

/** The handlers of a server by their methods, as the SDKs store them. */
export type Handlers = Map<string, Handler>;

/**
 * Finds the handlers of a server. Both SDKs (1.32.2 and 2.4.0) have them in this private map and no public way to call one.
 * Throws `unknown-client` for anything else.
 */
export function handlersOf(server: McpServerLike): Handlers {
  const inner = isServer(server) ? server.server : server;
  const handlers = (inner as { _requestHandlers?: unknown })._requestHandlers;
  if (handlers instanceof Map) return handlers;
  throw new ToolrailError(
    "unknown-client",
    "Unsupported MCP server. Pass McpServer or Server of @modelcontextprotocol/sdk or @modelcontextprotocol/server.",
  );
}

function isServer(value: object): value is { readonly server: object } {
  return "server" in value && typeof value.server === "object" && value.server !== null;
}

/** Finds the handler of a method. Throws `invalid-options` if no tool is registered yet. */
export function handlerOf(handlers: Handlers, method: string): Handler {
  const handler = handlers.get(method);
  if (handler) return handler;
  throw new ToolrailError(
    "invalid-options",
    `This server has no ${method} yet. Register its tools first.`,
  );
}

/** Copies a context with another signal, in the place of each SDK. */
export function withSignal(context: RequestContext, signal: AbortSignal): RequestContext {
  if (!context) return { signal };
  const { mcpReq } = context as { mcpReq?: object };
  const own = mcpReq
    ? { mcpReq: { value: Object.create(mcpReq, { signal: { value: signal } }) as object } }
    : { signal: { value: signal } };
  return Object.create(context, own) as object;
}

export function signalOf(context: RequestContext): AbortSignal | undefined {
  const { signal, mcpReq } = (context ?? {}) as {
    signal?: AbortSignal;
    mcpReq?: { signal?: AbortSignal };
  };
  return mcpReq?.signal ?? signal;
}
