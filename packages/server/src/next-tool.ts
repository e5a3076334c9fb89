import { createWarnings } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import {
  handlersOf,
  type McpServerLike,
  openServerHost,
  type RequestContext,
  SELF,
} from "./server-handlers.ts";

/** The `_meta` of a result that asks for another call. */
export interface NextToolMeta {
  readonly nextTool: { readonly tool: string; readonly arguments: JsonObject };
  readonly [key: string]: unknown;
}

/**
 * Creates the `_meta` of a result that names the next tool, as in the tool chaining proposal. Rejects with `unknown-tool` or
 * `invalid-arguments`: a server may name only tools that it lists, with arguments that they accept. `context` is the handler's
 * context, for servers whose list depends on it.
 */
export type NextTool = (
  tool: string,
  args?: JsonObject,
  context?: RequestContext,
) => Promise<NextToolMeta>;

/** Creates `nextTool` for one server. Its tools may be registered before or after. */
export function createNextTool(server: McpServerLike): NextTool {
  const handlers = handlersOf(server);
  const onEvent = createWarnings(); // Each call has a new host, but each problem is reported only once.
  return async (tool, args = {}, context) => {
    const host = await openServerHost(handlers, { context, onEvent });
    const verdict = await host.check({ tool: { server: SELF, name: tool }, arguments: args });
    if (verdict.type === "refuse") throw verdict.error;
    return { nextTool: { tool, arguments: args } };
  };
}
