import { type Host, ToolrailError } from "@toolrail/core";
import { createWarnings } from "@toolrail/core/adapter";
import { createValidator, type JsonObject } from "@toolrail/core/json";
import {
  type Handler,
  handlerOf,
  handlersOf,
  type McpServerLike,
  type RequestContext,
} from "./server-handlers.ts";
import { openServerHost, SELF, withoutSelf } from "./server-host.ts";

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
  const validator = createValidator();
  const onEvent = createWarnings(); // Each list has a new host, but each problem is reported only once.
  /** The host of the last list, with its tools and compiled schemas. */
  let known: { readonly list: string; readonly host: Host } | undefined;
  const open = async (context: RequestContext): Promise<Host> => {
    const page = await handlerOf(handlers, "tools/list")({ method: "tools/list" }, context);
    const list = JSON.stringify(page);
    if (known?.list === list) return known.host;
    if ((page as JsonObject).nextCursor !== undefined) {
      return openServerHost(handlers, { context, validator, onEvent });
    }
    const only = new Map<string, Handler>([["tools/list", () => JSON.parse(list)]]);
    const host = await openServerHost(only, { context: undefined, validator, onEvent });
    known = { list, host };
    return host;
  };
  return async (tool, args = {}, context) => {
    const host = await open(context);
    const request = { tool: { server: SELF, name: tool }, arguments: args };
    const checked = await host.check(request);
    if (checked.type === "refuse") {
      const { code, message } = checked.error;
      throw new ToolrailError(code, withoutSelf(message));
    }
    return { nextTool: { tool, arguments: args } };
  };
}
