/** Tools for authors of MCP servers: results that name the next tool, and a whole host as one server. @module */

export { createNextTool, type NextTool, type NextToolMeta } from "./next-tool.ts";
export { type ServedCalls, type ServeHostOptions, serveHost } from "./serve-host.ts";
export type { McpServerLike, RequestContext } from "./server-handlers.ts";
