// Everything exported here is public API.

// Tools, the chain inside the call
export type { ToolEvent } from "./call-config.ts";
// Pipes
export { createPipeTool, type PipeToolOptions } from "./pipe-tool.ts";
export type { ToolArtifact } from "./tool-message.ts";
export { createTools, type ToolsOptions } from "./tools.ts";
