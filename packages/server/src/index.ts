/** For authors of MCP servers: results that name the next tool. @module */

export { createNextTool, type NextTool, type NextToolMeta } from "./next-tool.ts";
export type { McpServerLike, RequestContext } from "./server-handlers.ts";
