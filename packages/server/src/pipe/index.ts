/** The tool `mcp_pipe` for the tools of a server. It needs `@toolrail/pipe`. @module */

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
