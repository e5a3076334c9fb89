/** The tool `mcp_pipe` of a host for the Vercel AI SDK. It needs `@toolrail/pipe`. @module */

export { createPipeTool, type PipeToolOptions } from "./create-pipe-tool.ts";
