import { createHost, type Host, type HostOptions, type McpPort } from "@toolrail/core";
import { withOwnSignal } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import { type Handlers, handlerOf, type RequestContext, withRequest } from "./server-handlers.ts";

export const SELF = "self";

/** Rewrites a message of such a host, so that it names tools as their server does. */
export const withoutSelf = (message: string): string => message.replaceAll(/\bself\.(?=\w)/g, "");

interface ServerHostOptions extends Omit<HostOptions, "servers" | "schemas"> {
  /** The context of the current request. */
  readonly context: RequestContext;
}

/**
 * Creates a host over the server's own handlers, for one request. Each call passes its handler like one over the wire, with the
 * caller's context. Progress is not passed on.
 */
export function openServerHost(
  handlers: Handlers,
  { context, ...options }: ServerHostOptions,
): Promise<Host> {
  const ask = (
    method: string,
    given: JsonObject,
    { signal, timeoutMs }: Parameters<McpPort["call"]>[1],
  ) =>
    withOwnSignal({ signal, timeoutMs }, (own) => {
      const { meta, ...rest } = given as JsonObject & { readonly meta?: JsonObject };
      const params = meta === undefined ? rest : { ...rest, _meta: meta };
      return handlerOf(handlers, method)(
        { method, params },
        withRequest(context, { signal: own, meta }),
      );
    });
  const port: McpPort = {
    list: ({ cursor, meta }, settings) =>
      ask("tools/list", cursor === undefined ? { meta } : { cursor, meta }, settings),
    call: ({ name, arguments: args, meta }, settings) =>
      ask("tools/call", { name, arguments: args, meta }, settings),
  };
  return createHost({ ...options, servers: { [SELF]: port } });
}
