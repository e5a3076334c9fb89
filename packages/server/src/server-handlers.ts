import { createHost, type Host, type HostOptions, type McpPort } from "@toolrail/core";
import { invalidOptions, withOwnSignal } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";

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
 * Throws `invalid-options` for anything else.
 */
export function handlersOf(server: McpServerLike): Handlers {
  const inner = Object(Object(server).server ?? server);
  const { _requestHandlers: handlers }: { readonly _requestHandlers?: unknown } = inner;
  if (handlers instanceof Map) return handlers;
  throw invalidOptions(
    "Unsupported MCP server. Pass McpServer or Server of @modelcontextprotocol/sdk or @modelcontextprotocol/server.",
  );
}

/** Finds the handler of a method. Throws `invalid-options` if no tool is registered yet. */
export function handlerOf(handlers: Handlers, method: string): Handler {
  const handler = handlers.get(method);
  if (handler) return handler;
  throw invalidOptions(`This server has no ${method} yet. Register its tools first.`);
}

/** Copies a context with the signal of another request and, if it has one, its `_meta`, in the place of each SDK. */
function withRequest(
  context: RequestContext,
  { signal, meta }: { readonly signal: AbortSignal; readonly meta?: JsonObject | undefined },
): object {
  const members = { signal, ...(meta && { _meta: meta }) };
  if (!context) return members;
  const { mcpReq }: { readonly mcpReq?: object } = context;
  return copy(context, mcpReq ? { mcpReq: copy(mcpReq, members) } : members);
}

/** Copies an object with other members. Its prototype is the object, since members of a context may be getters. */
function copy(value: object, members: object): object {
  return Object.create(value, Object.getOwnPropertyDescriptors(members)) as object;
}

export function signalOf(context: RequestContext): AbortSignal | undefined {
  const { mcpReq = context }: { readonly mcpReq?: object } = context ?? {};
  return Object(mcpReq).signal;
}

/** The name of the server in its own host, which messages put before the names of its tools. */
export const SELF = "self";

/**
 * Creates a host over the server's own handlers, for one request. Each call passes its handler like one over the wire, with the
 * caller's context. Progress is not passed on.
 */
export function openServerHost(
  handlers: Handlers,
  { context, ...options }: Partial<HostOptions> & { readonly context: RequestContext },
): Promise<Host> {
  type Given = JsonObject & { readonly meta?: JsonObject | undefined };
  type Bounds = Parameters<McpPort["call"]>[1];
  const ask = (method: string, { meta, ...given }: Given, { signal, timeoutMs }: Bounds) =>
    withOwnSignal({ signal, timeoutMs }, (own) => {
      const params = meta === undefined ? given : { ...given, _meta: meta };
      const inner = withRequest(context, { signal: own, meta });
      return handlerOf(handlers, method)({ method, params }, inner);
    });
  const port: McpPort = {
    list: ({ cursor, meta }, bounds) =>
      ask("tools/list", cursor === undefined ? { meta } : { cursor, meta }, bounds),
    call: ({ name, arguments: args, meta }, bounds) =>
      ask("tools/call", { name, arguments: args, meta }, bounds),
  };
  return createHost({ ...options, servers: { [SELF]: port } });
}
