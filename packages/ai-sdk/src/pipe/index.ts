/** The tool `mcp_pipe` of a host for the Vercel AI SDK. @module */

export { createPipeTool, type PipeToolOptions } from "./create-pipe-tool.ts";
