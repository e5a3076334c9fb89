/** For authors of MCP servers: results that name the next tool, and the tool `mcp_pipe` over their own tools. @module */

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
export { createNextTool, type NextTool, type NextToolMeta } from "./next-tool.ts";
export { type ServeHostOptions, serveHost } from "./serve-host.ts";
export type { McpServerLike, RequestContext } from "./server-handlers.ts";
