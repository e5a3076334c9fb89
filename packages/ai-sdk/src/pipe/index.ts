/** The tool `mcp_pipe` of a host for the Vercel AI SDK, by itself and in a chain. It needs `@toolrail/pipe`. @module */

export type { ChainedPipes } from "../chain/chaining-settings.ts";
export { chainedPipes } from "./chained-pipes.ts";
export { createPipeTool, type PipeToolOptions } from "./create-pipe-tool.ts";
