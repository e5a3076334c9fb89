import { createValidator, type JsonObject, ToolrailError } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core/adapter";
import {
  handlerOf,
  handlersOf,
  listTools,
  type McpServerLike,
  type RequestContext,
} from "./server-handlers.ts";

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
  const checks = new Map<string, ReturnType<typeof validator.getValidator>>();
  return async (tool, args = {}, context) => {
    const tools = await listTools(handlerOf(handlers, "tools/list"), context);
    const target = tools.find(({ name }) => name === tool);
    if (!target) {
      const names = tools.map(({ name }) => name).join(", ");
      const message = `nextTool names "${tool}", which this server does not list. It lists ${names}.`;
      throw new ToolrailError("unknown-tool", message);
    }
    const schema = isJsonObject(target.inputSchema) ? target.inputSchema : { type: "object" };
    const text = JSON.stringify(schema);
    const check = checks.get(text) ?? validator.getValidator(schema);
    checks.set(text, check);
    const verdict = check(args);
    if (verdict.valid) return { nextTool: { tool, arguments: args } };
    throw new ToolrailError(
      "invalid-arguments",
      `nextTool gives "${tool}" arguments that it does not accept: ${verdict.errorMessage}.`,
    );
  };
}
