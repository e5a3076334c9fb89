/** The tool `mcp_pipe` for authors of MCP servers. It needs `@toolrail/pipe`. @module */

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
