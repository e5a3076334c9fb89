import type { Harness } from "../harness.ts";
import { runGraph } from "../langgraph-guard-harness.ts";

export const harness: Harness = { name: "langgraph: createSingleStepGraph", guard: runGraph };
