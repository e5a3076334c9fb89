import type { JsonObject, McpPort, PortOptions } from "@toolrail/core";
import { withOwnSignal } from "@toolrail/core/adapter";
import { type Handlers, handlerOf, type RequestContext, withSignal } from "./server-handlers.ts";

/**
 * The server's own handlers as a port: each call passes the handler like one over the wire, with the
 * caller's context. Progress is not passed on.
 */
export function createHandlerPort(handlers: Handlers, context: RequestContext): McpPort {
  const ask = (method: string, params: JsonObject, { signal, timeoutMs }: PortOptions) =>
    withOwnSignal({ signal, timeoutMs }, (own) =>
      handlerOf(handlers, method)({ method, params }, withSignal(context, own)),
    );
  return {
    list: ({ cursor, meta }, options) =>
      ask("tools/list", { ...(cursor !== undefined && { cursor }), ...toMeta(meta) }, options),
    call: ({ name, arguments: args, meta }, options) =>
      ask("tools/call", { name, arguments: args, ...toMeta(meta) }, options),
  };
}

function toMeta(meta: JsonObject | undefined): JsonObject {
  return meta ? { _meta: meta } : {};
}
