// Everything exported here is public API.

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
export { createNextTool, type NextTool, type NextToolMeta } from "./next-tool.ts";
export type { McpServerLike, RequestContext } from "./server-handlers.ts";
