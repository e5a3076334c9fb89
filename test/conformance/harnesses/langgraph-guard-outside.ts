import { createAgentGuardHarness } from "../langgraph-guard-harness.ts";

export const harness = createAgentGuardHarness("outside");
