import { createValidator, type JsonObject } from "@toolrail/core";
import { handlersOf, type McpServerLike, type RequestContext } from "./server-handlers.ts";
import { openServerHost, SELF } from "./server-host.ts";

/** `_meta` of a result that asks for another call. */
export interface NextToolMeta {
  readonly nextTool: { readonly tool: string; readonly arguments: JsonObject };
  readonly [key: string]: unknown;
}

/**
 * Creates `_meta` for a result that names the next tool, following the tool chaining proposal. Rejects
 * with `unknown-tool` or `invalid-arguments`: a server may name only tools that it lists, with
 * arguments that they accept. `context` is the handler's own, for servers whose list depends on it.
 */
export type NextTool = (
  tool: string,
  args?: JsonObject,
  context?: RequestContext,
) => Promise<NextToolMeta>;

/** Creates `nextTool` for one server. Its tools may be registered before or after. */
export function createNextTool(server: McpServerLike): NextTool {
  const handlers = handlersOf(server);
  const validator = createValidator();
  return async (tool, args = {}, context) => {
    const host = await openServerHost(handlers, { context, validator });
    const request = { tool: { server: SELF, name: tool }, arguments: args };
    const admission = await host.check(request);
    if (admission.type === "refuse") throw admission.error;
    return { nextTool: { tool, arguments: args } };
  };
}
