/** The tool `mcp_pipe` for the tools of a server, or for the clients of a served host. It needs `@toolrail/pipe`. @module */

export { type McpPipeOptions, registerMcpPipe } from "./mcp-pipe.ts";
export { pipeTool, type ServedPipeToolOptions } from "./pipe-tool.ts";
