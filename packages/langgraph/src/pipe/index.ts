/** Pipes of a host for LangGraph.js: compiled to a graph, and as the tool `mcp_pipe`. @module */

export {
  type CompiledPipeGraph,
  type CompilePipeOptions,
  compilePipe,
} from "./compile-pipe.ts";
export { createPipeTool, type PipeToolOptions } from "./pipe-tool.ts";
