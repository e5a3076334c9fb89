import { createAgentPipeHarness } from "../pipe-tool-harness.ts";

export const harness = createAgentPipeHarness("langgraph: createPipeTool");
