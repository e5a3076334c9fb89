/** The tool `mcp_pipe` for the tools of a server. @module */

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
